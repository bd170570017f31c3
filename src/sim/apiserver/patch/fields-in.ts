/** The set of fields that a value has, and the value without some of its fields. */
import { setMember } from '../members.ts'
import { isJsonObject, type Json, type JsonObject } from '../object.ts'
import type { ListShape, Shape } from '../shape.ts'
import { type FieldSet, isMember, nodeOf, none } from './field-set.ts'
import { fieldElement, itemElement } from './path-element.ts'
import { isLeaf, isNamed, isVoid, itemsOf, shapeOfField } from './typed.ts'

/** All leaves, all items of lists and all keys of maps. */
export const fieldsIn = (value: JsonObject, shape: Shape): FieldSet =>
  nodeOf(fieldNodes(value, shape), false) ?? none

type Nodes = readonly (readonly [element: string, node: FieldSet])[]

const fieldNodes = (value: JsonObject, shape: Shape): Nodes =>
  Object.entries(value).flatMap(([name, field]) => {
    const below = shapeOfField(shape, name)
    if (below === undefined || field === undefined) return []
    const whole = field === null || (isJsonObject(field) && isVoid(field)) || !isNamed(shape, name)
    const node = nodeIn(field, below, whole)
    return node === undefined ? [] : [[fieldElement(name), node] as const]
  })

function nodeIn(value: Json, shape: Shape, whole: boolean): FieldSet | undefined {
  if (isLeaf(shape, value)) return none
  if (shape.type === 'list') return nodeOf(itemNodes(itemsOf(value), shape), whole)
  return nodeOf(isJsonObject(value) ? fieldNodes(value, shape) : [], whole)
}

function itemNodes(items: readonly Json[], list: ListShape): Nodes {
  const nodes = new Map<string, FieldSet>()
  for (const item of items) {
    const element = itemElement(item, list)
    const node = nodes.has(element) ? none : nodeIn(item, list.items, true)
    nodes.set(element, node ?? none)
  }
  return [...nodes]
}

/** Also the named fields that lead to members: with `.spec.replicas` also `.spec`, but no key of a map. */
export function withNamedFields(set: FieldSet, shape: Shape | undefined): FieldSet {
  const nodes = Object.entries(set).flatMap(([element, node]) => {
    if (element === '.') return []
    const name = element.startsWith('f:') ? element.slice(2) : undefined
    const isField = name !== undefined && shape !== undefined && isNamed(shape, name)
    const below = Object.entries(withNamedFields(node, shapeBelow(shape, name)))
    return [[element, nodeOf(below, isMember(node) || isField) ?? none] as const]
  })
  return nodeOf(nodes, false) ?? none
}

function shapeBelow(shape: Shape | undefined, name: string | undefined): Shape | undefined {
  if (name !== undefined) return shape && shapeOfField(shape, name)
  return shape?.type === 'list' ? shape.items : undefined
}

/** A list or map of which nothing is left becomes null. */
export function removeFields(value: Json, set: FieldSet, shape: Shape): Json {
  if (isLeaf(shape, value)) return value
  if (shape.type === 'list') {
    const left = itemsOf(value).flatMap((item) => {
      const node = set[itemElement(item, shape)]
      if (node === undefined) return [item]
      return isMember(node) ? [] : [removeFields(item, node, shape.items)]
    })
    return left.length === 0 ? null : left
  }
  return isJsonObject(value) ? removeNamed(value, set, shape) : value
}

function removeNamed(value: JsonObject, set: FieldSet, shape: Shape): Json {
  const left: { [name: string]: Json | undefined } = {}
  for (const [name, field] of Object.entries(value)) {
    const node = set[fieldElement(name)]
    const below = shapeOfField(shape, name)
    if (node === undefined || below === undefined || field === undefined)
      setMember(left, name, field)
    else if (!isMember(node)) setMember(left, name, removeFields(field, node, below))
  }
  return isVoid(left) ? null : left
}
