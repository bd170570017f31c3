/** `Keep` made ready for reading: what to do with a value, and with each member of it. */
import { atMost, type IsKept, type Keep, only } from '../../apis/keep.ts'

export type SieveNode = {
  /** Bytes that a text or a number may have; 0 where none is expected. */
  readonly most: number
  readonly isWhole: boolean
  readonly fields: ReadonlyMap<string, SieveNode> | undefined
  /** Beginnings of names. */
  readonly prefixes: readonly { readonly prefix: string; readonly node: SieveNode }[]
  /** As a list: which of its members are kept, and how many; undefined: all. */
  readonly only: IsKept | undefined
  readonly mostMembers: number
  /** An object of the API begins here, which is handed out by itself. */
  readonly isObject: boolean
  /** By this name it is known of an object that is too large, too. */
  readonly id: string | undefined
}

const ids = ['name', 'namespace', 'uid', 'resourceVersion']
/** A name has 253 bytes at most. */
const longestId = 512

const plain: SieveNode = {
  most: 0,
  isWhole: false,
  fields: undefined,
  prefixes: [],
  only: undefined,
  mostMembers: Infinity,
  isObject: false,
  id: undefined,
}

export function nodeOf(keep: Keep): SieveNode {
  if (keep === 'whole') return { ...plain, isWhole: true }
  if (typeof keep === 'number') return { ...plain, most: keep }
  const names = Object.keys(keep)
  const prefixes = names.filter((name) => name.endsWith('*'))
  return {
    ...plain,
    only: keep[only],
    mostMembers: keep[atMost] ?? Infinity,
    fields: new Map(
      names.filter((name) => !name.endsWith('*')).map((name) => [name, childOf(keep, name)]),
    ),
    prefixes: prefixes.map((name) => ({ prefix: name.slice(0, -1), node: childOf(keep, name) })),
  }
}

const childOf = (keep: Readonly<Record<string, Keep>>, name: string): SieveNode =>
  nodeOf(keep[name] ?? {})

/** With all that says which object it is, and whether it has ended. */
export function objectNodeOf(keep: Keep): SieveNode {
  const node = nodeOf(keep)
  if (node.fields === undefined) return { ...node, isObject: true }
  const metadata = node.fields.get('metadata') ?? { ...plain, fields: new Map() }
  const known = new Map(metadata.fields)
  for (const id of ids) known.set(id, { ...plain, most: longestId, id })
  const fields = new Map(node.fields).set('metadata', { ...metadata, fields: known })
  const status = fields.get('status')
  const phase = status?.fields?.get('phase')
  if (status !== undefined && phase !== undefined) {
    const marked = new Map(status.fields).set('phase', { ...phase, id: 'phase' })
    fields.set('status', { ...status, fields: marked })
  }
  return { ...node, isObject: true, fields }
}

/** A document with objects at one of its members. */
export const documentNodeOf = (keep: Keep, member: string, object: SieveNode): SieveNode => {
  const node = nodeOf(keep)
  return { ...node, fields: new Map(node.fields).set(member, object) }
}
