/** All nodes, those with trouble first; only the tiles on the screen are drawn. */
import { useEffect, useRef, useState } from 'preact/hooks'

import type { NodeTile as Tile } from '../../src/apis/dashboard.ts'
import { usePage } from '../live/page.ts'
import { useOrder } from '../live/use-order.ts'
import { useVisible } from '../live/use-visible.ts'
import { countModes, modes, troubleOf, wrongWith } from '../model/trouble.ts'
import { Chips } from './chips.tsx'
import { NodeTile } from './node-tile.tsx'
import { Outdated } from './outdated.tsx'

const LEAST_WIDTH = 264
/** Of a tile and the gap below it, as the style sheet has them. */
const ROW_HEIGHT = 84

type Props = { readonly tiles: readonly Tile[]; readonly now: number }

export function TileGrid({ tiles, now }: Props) {
  const { only } = usePage().address
  const list = useRef<HTMLUListElement>(null)
  const columns = useColumns(list)
  const ordered = useOrder(tiles, {
    name: 'trouble',
    keyOf: ({ name }) => name,
    valueOf: (tile) => troubleOf(tile, now),
    descending: true,
  })
  const wanted = ordered.rows.filter(({ mode }) => only.length === 0 || only.includes(mode))
  const rows = Math.ceil(wanted.length / columns)
  const { first, end } = useVisible({ list, count: rows, rowHeight: ROW_HEIGHT })
  const counts = countModes(tiles)
  return (
    <>
      <div class="bar">
        <Chips label="modes" options={modes.filter((mode) => counts.has(mode))} counts={counts} />
        <Outdated ordered={ordered} what="by trouble" />
      </div>
      <ul
        ref={list}
        class="tiles"
        style={{
          gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          paddingTop: `${first * ROW_HEIGHT}px`,
          paddingBottom: `${(rows - end) * ROW_HEIGHT}px`,
        }}
      >
        {wanted.slice(first * columns, end * columns).map((tile, i) => (
          <li key={tile.name} aria-setsize={wanted.length} aria-posinset={first * columns + i + 1}>
            <NodeTile tile={tile} wrong={wrongWith(tile, now)} />
          </li>
        ))}
      </ul>
    </>
  )
}

function useColumns(list: { readonly current: HTMLElement | null }): number {
  const [columns, setColumns] = useState(4)
  useEffect(() => {
    const element = list.current
    if (element === null) return undefined
    const resized = new ResizeObserver(() =>
      setColumns(Math.max(1, Math.floor(element.clientWidth / LEAST_WIDTH))),
    )
    resized.observe(element)
    return () => resized.disconnect()
  }, [])
  return columns
}
