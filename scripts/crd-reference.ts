/** The reference page of a resource: its fields, what they are without being said, and its rules. */
import * as v from 'valibot'

import { crdSchema, type Definition, type StructuralSchema } from './crd.ts'
import { schemaPage } from './reference.ts'

type Place = { readonly path: string; readonly schema: StructuralSchema }

export function resourcePage(definition: Definition): string {
  const { resource, description, fields, shortNames } = definition
  const { kind, group, version, plural, namespaced } = resource
  const about = [
    `${description} \`${group}/${version}\`, ${namespaced ? 'in a namespace' : 'of the cluster'};`,
    `${[plural, ...shortNames].map((name) => `\`kubectl get ${name}\``).join(' or ')}.`,
  ].join(' ')
  const places = below({ path: '', schema: crdSchema(definition) })
  const defaults = places.flatMap(({ path, schema }) =>
    schema.default === undefined ? [] : [`- \`${path}\`: \`${JSON.stringify(schema.default)}\``],
  )
  return [
    // What has neither spec nor status is told as a whole.
    schemaPage(
      kind,
      about,
      'status' in fields || 'spec' in fields ? fields : { object: v.object(fields) },
    ),
    ...(defaults.length > 0 ? ['## Defaults', '', ...defaults, ''] : []),
    ...ruleLines(places),
  ].join('\n')
}

function ruleLines(places: readonly Place[]): string[] {
  const rows = places.flatMap(({ path, schema }) =>
    (schema['x-kubernetes-validations'] ?? []).map(
      ({ rule, message }) =>
        `| ${path === '' ? 'object' : `\`${path}\``} | ${message} | \`${rule.replaceAll('|', '\\|')}\` |`,
    ),
  )
  if (rows.length === 0) return []
  return [
    '## Rules',
    '',
    'Kubernetes refuses what breaks one of these, with these words.',
    '',
    '| where | message | rule (CEL) |',
    '|---|---|---|',
    ...rows,
    '',
  ]
}

function below(place: Place): Place[] {
  const { path, schema } = place
  const inner: Place[] = Object.entries(schema.properties ?? {}).map(([key, field]) => ({
    path: path === '' ? key : `${path}.${key}`,
    schema: field,
  }))
  if (schema.items) inner.push({ path: `${path}[]`, schema: schema.items })
  return [place, ...inner.flatMap(below)]
}
