/** Lists of named texts, as a NodeResourceTopology has them, from and to what is looked up by name. */
import { InvalidInput } from '../core/errors.ts'
import type { Attribute } from './node-resource-topology.ts'

/** What is undefined is not written. */
export type WrittenAttributes = Readonly<Record<string, string | undefined>>

export const attributesOf = (written: WrittenAttributes): Attribute[] =>
  Object.entries(written).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))

export type Attributes = {
  /** What has them, as an error calls it. */
  readonly place: string
  readonly get: (name: string) => string | undefined
  /** Refuses where it is missing. */
  readonly need: (name: string) => string
}

export function readAttributes(list: readonly Attribute[] | undefined, place: string): Attributes {
  const values = new Map(list?.map(({ name, value }) => [name, value]))
  return {
    place,
    get: (name) => values.get(name),
    need: (name) => {
      const value = values.get(name)
      if (value !== undefined) return value
      throw new InvalidInput(
        `${place}: expected the attribute ${name}, got none; it is told where mbcas agent runs on the node and nobody else writes there`,
      )
    },
  }
}
