/** The objects of one resource, by namespace and name; a list of n costs O(n) once after a change. */
import type { ApiObject, Place } from '../object.ts'
import { compare } from './history.ts'

export type Collection = {
  readonly get: (place: Place) => ApiObject | undefined
  readonly put: (object: ApiObject) => void
  readonly delete: (place: Place) => void
  /** Sorted by `namespace/name`; an array that is never changed again. */
  readonly list: (namespace?: string) => readonly ApiObject[]
}

/** The objects of one namespace, or of none. */
type Space = {
  readonly objects: Map<string, ApiObject>
  /** Sorted; it changes only when objects come and go. */
  readonly names: string[]
  listed: readonly ApiObject[] | undefined
}

export function createCollection(): Collection {
  const spaces = new Map<string, Space>()
  let sortedSpaces: readonly Space[] | undefined
  let all: readonly ApiObject[] | undefined

  const spaceOf = (namespace: string): Space => {
    const known = spaces.get(namespace)
    if (known !== undefined) return known
    const made: Space = { objects: new Map(), names: [], listed: undefined }
    spaces.set(namespace, made)
    sortedSpaces = undefined
    return made
  }

  const listAll = (): readonly ApiObject[] => {
    // With the slash: `a-b/x` is before `a/x`.
    sortedSpaces ??= [...spaces]
      .toSorted(([a], [b]) => compare(`${a}/`, `${b}/`))
      .map(([, space]) => space)
    all ??= sortedSpaces.length === 1 ? listOf(sortedSpaces[0]) : sortedSpaces.flatMap(listOf)
    return all
  }

  return {
    get: ({ namespace = '', name }) => spaces.get(namespace)?.objects.get(name),
    put: (object) => {
      const { namespace = '', name } = object.metadata
      const space = spaceOf(namespace)
      if (!space.objects.has(name)) space.names.splice(positionOf(space.names, name), 0, name)
      space.objects.set(name, object)
      space.listed = undefined
      all = undefined
    },
    delete: ({ namespace = '', name }) => {
      const space = spaces.get(namespace)
      if (space?.objects.delete(name) !== true) return
      space.names.splice(positionOf(space.names, name), 1)
      space.listed = undefined
      all = undefined
      if (space.names.length > 0) return
      spaces.delete(namespace)
      sortedSpaces = undefined
    },
    list: (namespace) => (namespace === undefined ? listAll() : listOf(spaces.get(namespace))),
  }
}

const none: readonly ApiObject[] = []

function listOf(space: Space | undefined): readonly ApiObject[] {
  if (space === undefined) return none
  space.listed ??= space.names.flatMap((name) => space.objects.get(name) ?? [])
  return space.listed
}

/** Where it is, or where it would go. */
function positionOf(names: readonly string[], name: string): number {
  let low = 0
  let high = names.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(names[middle] ?? '', name) < 0) low = middle + 1
    else high = middle
  }
  return low
}
