/** Who waits for what, so that a change wakes those that it concerns and nobody else. */
export type WaitingRoom = {
  /** One thing at a time; undefined: for nothing any more. */
  readonly wait: (key: string, thing: string | undefined) => void
  /** Those who wait for it; they stay until they say otherwise. */
  readonly waitingFor: (thing: string) => Iterable<string>
}

export const roomOn = (node: string): string => `room on ${node}`
export const quotaOf = (namespace: string): string => `quota of ${namespace}`

export function createWaitingRoom(): WaitingRoom {
  const things = new Map<string, string>()
  const waiting = new Map<string, Set<string>>()

  const leave = (key: string): void => {
    const thing = things.get(key)
    if (thing === undefined) return
    things.delete(key)
    const others = waiting.get(thing)
    others?.delete(key)
    if (others?.size === 0) waiting.delete(thing)
  }

  return {
    wait: (key, thing) => {
      if (things.get(key) === thing) return // keeps its place
      leave(key)
      if (thing === undefined) return
      things.set(key, thing)
      const others = waiting.get(thing)
      if (others === undefined) waiting.set(thing, new Set([key]))
      else others.add(key)
    },
    waitingFor: (thing) => waiting.get(thing) ?? [],
  }
}
