/**
 * Changes groups in an order that their kernel accepts. Which kernel, a real one or a simulated one, is
 * passed in: it says what stands where, and does one write at a time. It remembers nothing: whoever
 * has to undo its writes is told of each before the first of them (`Note`).
 */
import {
  type CpuSettings,
  type Group,
  planWrites,
  type SettingChange,
  settle,
  type Step,
} from './plan-writes.ts'

export type Change<Place> = { readonly place: Place } & SettingChange

export type Written = {
  /** Every value that was changed, in words, in the order of writing. */
  readonly wrote: readonly string[]
  /** What was not done and why, in words; the rest was. */
  readonly refused: readonly string[]
}

export type Located = {
  readonly path: string
  /** Stays when the group is renamed; one that is made anew under its name has another. */
  readonly id: string
  readonly now: CpuSettings
}

export type PlacedGroup<Place> = Group & Located & { readonly place: Place }

export type PlannedGroup<Place> = PlacedGroup<Place> & {
  /** All that may stand there from now on, until the last write is done: what does now, then after each. */
  readonly states: readonly CpuSettings[]
}

/** Called with the groups that will be written, before they are; what it throws keeps them as they are. */
export type Note<Place> = (planned: readonly PlannedGroup<Place>[]) => void

export type Groups<Place> = {
  readonly nameOf: (place: Place) => string
  /** Undefined when there is no such group. */
  readonly locate: (place: Place) => Located | undefined
  /** As the kernel will tell it: not every kernel has every value. */
  readonly inSteps: (change: SettingChange) => SettingChange
  /** One write: what it is in words, and why it failed if it did. */
  readonly apply: (step: Step<PlacedGroup<Place>>) => Applied
}

export type Applied = { readonly words: string; readonly failure: string | undefined }

export type Write<Place> = (changes: readonly Change<Place>[], note?: Note<Place>) => Written

export function createWriting<Place>({ nameOf, ...kernel }: Groups<Place>): Write<Place> {
  return (changes, note = () => {}) => {
    const wrote: string[] = []
    const refused: string[] = []
    const groups = changes.flatMap(({ place, ...change }): PlacedGroup<Place>[] => {
      const located = kernel.locate(place)
      if (located !== undefined) {
        return [{ place, ...located, wanted: settle(located.now, kernel.inSteps(change)) }]
      }
      refused.push(`${nameOf(place)} has no cgroup: not yet, or no longer`)
      return []
    })
    const steps = planWrites(groups)
    if (steps.length > 0) note(withStates(groups, steps))
    for (const step of steps) {
      const { words, failure } = kernel.apply(step)
      // What follows rests on this step.
      if (failure !== undefined) return { wrote, refused: [...refused, `${words}: ${failure}`] }
      wrote.push(words)
    }
    return { wrote, refused }
  }
}

function withStates<Place>(
  groups: readonly PlacedGroup<Place>[],
  steps: readonly Step<PlacedGroup<Place>>[],
): PlannedGroup<Place>[] {
  return groups.flatMap((group) => {
    const states = [group.now]
    for (const { group: one, setting, to } of steps) {
      if (one === group) states.push({ ...states.at(-1), [setting]: to } as CpuSettings)
    }
    return states.length === 1 ? [] : [{ ...group, states }]
  })
}
