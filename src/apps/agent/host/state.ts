/**
 * What was found in a group and what we made of it, so that it can be undone.
 *
 * The law: what was found, or what somebody set since, is there at the end. A quota is nothing without
 * its period, so that the two are judged as a pair; burst and shares each stand for themselves. What is
 * neither as found nor ours was set by somebody, and counts as found from then on.
 *
 *   found (quota/period)   ours                           stands      at the end
 *   100/100                30/1000                        30/1000     100/100
 *   100/100                100/1000, then 30/1000         100/1000    100/100    ended between two writes
 *   100/100                30/1000                        30/100      30/100     somebody set the period
 *   100/100                30/1000                        60/1000     60/1000    somebody set the quota
 */
import type { KeptGroup } from '../../../apis/host-state.ts'
import type { SettingChange } from '../../../core/cgroup/plan-writes.ts'
import type { CpuSettings } from '../../../ports/cgroup.ts'

type Unit = readonly (keyof CpuSettings)[]

const units: readonly Unit[] = [['quotaMicros', 'periodMicros'], ['burstMicros'], ['shares']]

/** A group that will be written, and all that may stand there until that is done, by the last time first. */
export type Planned = Pick<KeptGroup, 'path' | 'id'> & { readonly states: readonly CpuSettings[] }

/** Before a write. */
export function keepPlanned(
  before: KeptGroup | undefined,
  { path, id, states }: Planned,
): KeptGroup {
  const [now] = states
  if (now === undefined) throw new Error(`keeping ${path}: expected what stands there, got nothing`)
  const found = before === undefined ? now : takeOthers(before, now).kept.found
  return { path, id, found, ours: [...states] }
}

export type Taken = {
  readonly kept: KeptGroup
  /** What somebody else has set since, in words. */
  readonly others: readonly string[]
}

/** What somebody else has set since counts as found. */
export function takeOthers(kept: KeptGroup, now: CpuSettings): Taken {
  const known = [kept.found, ...kept.ours]
  const theirs = units.filter((unit) => !known.some((one) => isSame(unit, one, now)))
  const set = Object.fromEntries(theirs.flat().map((setting) => [setting, now[setting]]))
  return {
    kept: { ...kept, found: { ...kept.found, ...set } },
    others: theirs.map((unit) => {
      const last = kept.ours.at(-1) ?? kept.found
      return `${wordsOf(unit, now)}: found ${wordsOf(unit, kept.found)}, last set to ${wordsOf(unit, last)}`
    }),
  }
}

const isSame = (unit: Unit, one: CpuSettings, other: CpuSettings): boolean =>
  unit.every((setting) => one[setting] === other[setting])

/** Every setting by name: what is left out would go with the others. */
export const restoring = ({
  found: { shares, quotaMicros, periodMicros, burstMicros },
}: KeptGroup): SettingChange => ({
  shares,
  quotaMicros,
  periodMicros,
  ...(burstMicros !== undefined && { burstMicros }),
})

/** Such as `quota 30000, period 100000`. */
export const wordsOf = (unit: Unit, settings: CpuSettings): string =>
  unit
    .map((setting) => `${setting.replace('Micros', '')} ${settings[setting] ?? 'none'}`)
    .join(', ')

export const allWordsOf = (settings: CpuSettings): string => wordsOf(units.flat(), settings)
