import { useMemo } from 'preact/hooks'

import type { NodeTile as Tile } from '../../src/apis/dashboard.ts'
import { useHref } from '../live/page.ts'
import { count, cpu, money, ratio } from '../model/format.ts'
import { usedRatio } from '../model/trouble.ts'
import { ModeWord } from './mode-word.tsx'

/** A node: its mode as colour and word, filled by use. */
export function NodeTile({
  tile,
  wrong,
}: {
  readonly tile: Tile
  readonly wrong?: string | undefined
}) {
  const href = useHref()({ view: 'node', name: tile.name })
  // The same element for the same tile: of a thousand, only those that changed are compared.
  return useMemo(() => {
    const { name, mode, used, allocatable, suffering, pods, price, trouble } = tile
    const state =
      wrong ??
      (suffering > 0 ? `${suffering} of ${count(pods, 'pod')} suffering` : count(pods, 'pod'))
    return (
      <a class={`tile tile-${mode}`} href={href} title={trouble ?? wrong} data-row>
        <i class="tile-fill" style={{ width: ratioWidth(usedRatio(tile)) }} />
        <span class="tile-head">
          <b>{name}</b> <ModeWord mode={mode} />
        </span>{' '}
        <span class="tile-figures">
          <span>
            {cpu(used)} <span class="muted">of {cpu(allocatable)}</span>
          </span>{' '}
          <span class="muted">
            {price === undefined || price === 0 ? ratio(usedRatio(tile)) : `price ${money(price)}`}
          </span>
        </span>{' '}
        <span
          class={wrong !== undefined || suffering > 0 ? 'tile-state is-bad' : 'tile-state muted'}
        >
          {state}
        </span>
      </a>
    )
  }, [tile, wrong, href])
}

const ratioWidth = (value: number): string => `${(value * 100).toFixed(1)}%`
