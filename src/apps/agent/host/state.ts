/** What was found in a group and what we made of it, so that it can be undone. */
import type { KeptGroup } from '../../../apis/host-state.ts'
import type { SettingChange } from '../../../core/cgroup/plan-writes.ts'
import { sharesOfWeight, weightOfShares } from '../../../core/cgroup/weight.ts'
import type { CpuSettings } from '../../../ports/cgroup.ts'

/** A quota is of its period: one without the other would allow something else. */
const units = [['quotaMicros', 'periodMicros'], ['burstMicros'], ['shares']] as const
const settings = units.flat()

export const keepFound = (
  path: string,
  { shares, quotaMicros, periodMicros, burstMicros }: CpuSettings,
): KeptGroup => ({
  path,
  found: { shares, quotaMicros, periodMicros, burstMicros },
  ours: { shares: [], quotaMicros: [], periodMicros: [], burstMicros: [] },
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
  for (const together of units) {
    const differing = together.filter(
      (setting) => found[setting] !== undefined && (now[setting] ?? null) !== found[setting],
    )
    const others = differing.filter((setting) => !ours[setting].includes(now[setting] ?? null))
    for (const setting of others) {
      const last = ours[setting].at(-1)
      left.push(`${setting} is ${now[setting]}: found ${found[setting]}, last set to ${last}`)
    }
    if (others.length > 0) continue
    for (const setting of differing) Object.assign(change, { [setting]: found[setting] })
  }
  return { change, left }
}
