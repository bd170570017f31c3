/**
 * A set of fields in the form in which it is stored and sent (`fieldsV1`), so that nothing is encoded or
 * decoded. Each key is a path element; its value has the elements below it.
 *
 * | set                                        | members                  |
 * |--------------------------------------------|--------------------------|
 * | `{}`                                       | none                     |
 * | `{ 'f:spec': { 'f:replicas': {} } }`       | .spec.replicas           |
 * | `{ 'f:data': { '.': {}, 'f:a': {} } }`     | .data, .data.a           |
 *
 * All operations return their first operand itself if it is the result, and keep its order. What is
 * stored is in the server's order: `inOrder` and `union` make it.
 */
import { compareElements } from './path-element.ts'

export type FieldSet = { readonly [element: string]: FieldSet }
type MutableSet = { [element: string]: FieldSet }

/** The set without members; below an element it says that the element is a member, and nothing under it. */
export const none: FieldSet = {}
const self = '.'

export function isNone(set: FieldSet): boolean {
  for (const _ in set) return false
  return true
}

export const isMember = (node: FieldSet): boolean => self in node || isNone(node)

/** A node of the tree; `undefined` if there is nothing to say. */
export function nodeOf(
  children: readonly (readonly [element: string, node: FieldSet])[],
  member: boolean,
): FieldSet | undefined {
  if (children.length === 0) return member ? none : undefined
  const node: MutableSet = member ? { [self]: none } : {}
  for (const [element, below] of children) node[element] = below
  return node
}

const childrenOf = (node: FieldSet): (readonly [string, FieldSet])[] =>
  Object.entries(node).filter(([element]) => element !== self)

export function inOrder(set: FieldSet): FieldSet {
  const children = childrenOf(set).map(([element, node]) => [element, inOrder(node)] as const)
  if (children.length === 0) return none
  return (
    nodeOf(
      children.toSorted(([a], [b]) => compareElements(a, b)),
      self in set,
    ) ?? none
  )
}

/** In order if `a` is. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  let changed: MutableSet | undefined
  let hasNew = false
  for (const element in b) {
    const [mine, theirs] = [a[element], b[element]]
    if (theirs === undefined) continue
    const both = mine === undefined ? theirs : unionNodes(mine, theirs)
    if (both === mine) continue
    changed ??= { ...a }
    changed[element] = both
    hasNew ||= mine === undefined
  }
  if (changed === undefined) return a
  return hasNew ? inOrder(changed) : changed
}

function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (isNone(a)) return isNone(b) ? a : inOrder(asMember(b))
  return isNone(b) ? asMember(a) : union(a, b)
}

const asMember = (node: FieldSet): FieldSet => (isMember(node) ? node : { [self]: none, ...node })

export const difference = (a: FieldSet, b: FieldSet): FieldSet =>
  keepWhere(a, (element, node) => {
    const other = b[element]
    if (other === undefined) return node
    return keepNode(node, isMember(node) && !isMember(other), difference(node, other))
  })

/** `a` without the members of `b` and all that is below them. */
export const differenceBelow = (a: FieldSet, b: FieldSet): FieldSet =>
  keepWhere(a, (element, node) => {
    const other = b[element]
    if (other === undefined) return node
    return isMember(other)
      ? undefined
      : keepNode(node, isMember(node), differenceBelow(node, other))
  })

/** What `pattern` leads to; `*` is any element, and an end has all below it. */
export const including = (a: FieldSet, pattern: FieldSet): FieldSet =>
  keepWhere(a, (element, node) => {
    const matched = pattern[element] ?? pattern['*']
    if (matched === undefined) return undefined
    if (isNone(node) || isNone(matched)) return node
    return keepNode(node, isMember(node), including(node, matched))
  })

export const intersection = (a: FieldSet, b: FieldSet): FieldSet =>
  keepWhere(a, (element, node) => {
    const other = b[element]
    if (other === undefined) return undefined
    const member = isMember(node) && isMember(other)
    return keepNode(node, member, intersection(node, other))
  })

/** The node with the children of `below`, which may be the node itself. */
function keepNode(node: FieldSet, member: boolean, below: FieldSet): FieldSet | undefined {
  if (below === node && member === isMember(node)) return node
  return nodeOf(childrenOf(below), member)
}

/** The root and the marker `.` are no elements: who is a member is decided for the node as a whole. */
function keepWhere(
  set: FieldSet,
  keep: (element: string, node: FieldSet) => FieldSet | undefined,
): FieldSet {
  let kept: MutableSet | undefined
  const seen: string[] = []
  for (const element in set) {
    const node = set[element]
    if (node === undefined) continue
    const left = element === self ? node : keep(element, node)
    if (left !== node && kept === undefined) {
      kept = {}
      for (const before of seen) kept[before] = set[before] ?? none
    }
    if (kept === undefined) seen.push(element)
    else if (left !== undefined) kept[element] = left
  }
  return kept ?? set
}

export const covers = (a: FieldSet, b: FieldSet): boolean => isNone(difference(b, a))

/** Of every member the elements that lead to it: those of one level before what is below them. */
export function* membersOf(
  set: FieldSet,
  at: readonly string[] = [],
): Generator<readonly string[]> {
  const elements = childrenOf(set)
  for (const [element, node] of elements) if (isMember(node)) yield [...at, element]
  for (const [element, node] of elements) yield* membersOf(node, [...at, element])
}
