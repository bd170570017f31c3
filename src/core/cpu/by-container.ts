/** By UID of the pod, then by name of the container. */
export type ByContainer<T> = ReadonlyMap<string, ReadonlyMap<string, T>>

/** As files and texts have it. */
type Entries<T> = Readonly<Record<string, Readonly<Record<string, T>>>>

export const byContainer = <T, U>(entries: Entries<T>, read: (value: T) => U): ByContainer<U> =>
  new Map(
    Object.entries(entries).map(([uid, containers]) => {
      const ofPod = Object.entries(containers).map(([name, value]) => [name, read(value)] as const)
      return [uid, new Map(ofPod)]
    }),
  )

/** The other way. */
export const entriesOf = <T, U>(map: ByContainer<T>, write: (value: T) => U): Entries<U> =>
  Object.fromEntries(
    [...map].map(([uid, containers]) => {
      const ofPod = [...containers].map(([name, value]) => [name, write(value)] as const)
      return [uid, Object.fromEntries(ofPod)]
    }),
  )
