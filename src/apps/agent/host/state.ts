/** What was found in a group and what we made of it, so that it can be undone. */
import type { KeptGroup } from '../../../apis/host-state.ts'
import type { SettingChange } from '../../../core/cgroup/plan-writes.ts'
import { sharesOfWeight, weightOfShares } from '../../../core/cgroup/weight.ts'
import type { CpuSettings } from '../../../ports/cgroup.ts'

const settings = ['quotaMicros', 'burstMicros', 'shares'] as const

export const keepFound = (
  path: string,
  { shares, quotaMicros, burstMicros }: CpuSettings,
): KeptGroup => ({
  path,
  found: { shares, quotaMicros, burstMicros },
  ours: { shares: [], quotaMicros: [], burstMicros: [] },
})

/** Before a write: until it is done, what was ours before may stand there, or what is to come. */
export function keepOurs(kept: KeptGroup, now: CpuSettings, change: SettingChange): KeptGroup {
  const ours = { ...kept.ours }
  for (const setting of settings) {
    const [from, to] = [now[setting], change[setting]]
    if (from === undefined || to === undefined) continue
    const before = kept.ours[setting].includes(from) ? [from] : []
    ours[setting] = [...before, ...(setting === 'shares' ? readAs(to) : []), to]
  }
  return { ...kept, ours }
}

/** Cgroup v2 has fewer weights than there are shares, and reads as the least that give the same. */
const readAs = (shares: number | null): number[] =>
  shares === null ? [] : [sharesOfWeight(weightOfShares(shares))]

export type Undoing = {
  readonly change: SettingChange
  /** What somebody else has set since, in words: it stays. */
  readonly left: readonly string[]
}

/** What is neither as found nor ours was set by somebody else meanwhile. */
export function undo({ found, ours }: KeptGroup, now: CpuSettings): Undoing {
  const left: string[] = []
  const change: SettingChange = {}
  for (const setting of settings) {
    const [was, is] = [found[setting], now[setting]]
    if (was === undefined || is === undefined || is === was) continue
    if (ours[setting].includes(is)) Object.assign(change, { [setting]: was })
    else left.push(`${setting} is ${is}: found ${was}, last set to ${ours[setting].at(-1)}`)
  }
  return { change, left }
}
