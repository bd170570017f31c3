/**
 * Changes groups in an order that their kernel accepts, and remembers what it found. Which kernel, a
 * real one or a simulated one, is passed in: it says what stands where, and does one write at a time.
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

export type PlacedGroup<Place> = Group & { readonly place: Place }

export type Groups<Place> = {
  readonly nameOf: (place: Place) => string
  /** Undefined when there is no such group. */
  readonly locate: (
    place: Place,
  ) => { readonly path: string; readonly now: CpuSettings } | undefined
  /** One write: what it is in words, and why it failed if it did. */
  readonly apply: (step: Step<PlacedGroup<Place>>) => Applied
}

export type Applied = { readonly words: string; readonly failure: string | undefined }

export type Writing<Place> = {
  readonly write: (changes: readonly Change<Place>[]) => Written
  readonly found: () => readonly Change<Place>[]
  readonly forget: (place: Place) => void
}

export function createWriting<Place>({ nameOf, locate, apply }: Groups<Place>): Writing<Place> {
  const found = new Map<string, Change<Place>>()

  const remember = ({ group: { place }, setting, from }: Step<PlacedGroup<Place>>): void => {
    const before = found.get(nameOf(place))
    found.set(nameOf(place), { place, [setting]: from, ...before })
  }

  const write = (changes: readonly Change<Place>[]): Written => {
    const wrote: string[] = []
    const refused: string[] = []
    const groups = changes.flatMap(({ place, ...change }): PlacedGroup<Place>[] => {
      const located = locate(place)
      if (located !== undefined) {
        return [{ place, ...located, wanted: settle(located.now, change) }]
      }
      refused.push(`${nameOf(place)} has no cgroup: not yet, or no longer`)
      return []
    })
    for (const step of planWrites(groups)) {
      const { words, failure } = apply(step)
      // What follows rests on this step.
      if (failure !== undefined) return { wrote, refused: [...refused, `${words}: ${failure}`] }
      remember(step)
      wrote.push(words)
    }
    return { wrote, refused }
  }

  return {
    write,
    found: () => [...found.values()],
    forget: (place) => void found.delete(nameOf(place)),
  }
}
