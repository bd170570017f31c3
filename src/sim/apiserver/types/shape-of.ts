/** The shapes of the built-in kinds. A type is parsed when its fields are first asked for. */
import type { Field, ObjectShape } from '../shape.ts'
import { kubeTypes } from './kube-types.ts'
import { indexTypes, parseFields, type TypeText } from './parse.ts'

let index: ReadonlyMap<string, TypeText> | undefined
const shapes = new Map<string, ObjectShape>()

/** Packages are named by the first part of their group, but `apps.example.com` is not `apps`. */
const groups = new Set([
  'apiextensions.k8s.io',
  'apps',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'coordination.k8s.io',
  'events.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'scheduling.k8s.io',
])

function packageOf(apiVersion: string): string {
  const [group = '', version] = apiVersion.split('/')
  if (version === undefined) return `core.${group}`
  return groups.has(group) ? `${group.split('.', 1)[0]}.${version}` : ''
}

/** `DeleteOptions` and `Status` are kinds of every group version. */
export function shapeOf(apiVersion: string, kind: string): ObjectShape | undefined {
  const shape = typeShape(`${packageOf(apiVersion)}.${kind}`) ?? typeShape(`meta.v1.${kind}`)
  const isKind = shape?.fields.get('kind')?.number === undefined && shape?.fields.has('kind')
  return isKind === true ? shape : undefined
}

/** By short name, such as `meta.v1.ObjectMeta`: always the same object for the same type. */
export function typeShape(name: string): ObjectShape | undefined {
  const known = shapes.get(name)
  if (known) return known
  index ??= indexTypes(kubeTypes)
  const text = index.get(name)
  if (!text) return undefined
  let fields: ReadonlyMap<string, Field> | undefined
  const shape: ObjectShape = {
    type: 'object',
    typeName: text.typeName,
    ...(text.atomic && { atomic: true }),
    ...(text.retainKeys && { retainKeys: true }),
    get fields() {
      return (fields ??= parseFields(text.body, existing))
    },
  }
  shapes.set(name, shape)
  return shape
}

function existing(name: string): ObjectShape {
  const shape = typeShape(name)
  if (!shape) throw new Error(`reading built-in types: expected a type ${name}, got none`)
  return shape
}

/** Of every object, also those of CRDs. */
export const objectMetaShape = existing('meta.v1.ObjectMeta')
