// Writes src/sim/apiserver/types/kube-types.ts: the built-in kinds that the embedded cluster serves,
// and every type that they reach, as facts without prose.
//   KUBECONFIG=... node scripts/kube-types.mjs kubectl [GOMODCACHE]
// OpenAPI of a real API server says what a type's fields are; the Go types of the same release add
// the protobuf numbers, what is embedded, and what Go leaves out when it is zero.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const release = 'v0.36.3'
const target = new URL('../src/sim/apiserver/types/kube-types.ts', import.meta.url)

/** @type {Record<string, { readonly path: string, readonly kinds: string }>} */
const served = {
  'io.k8s.api.core.v1': {
    path: 'api/v1',
    kinds:
      'Namespace Node Pod Event ConfigMap Secret Service ServiceAccount LimitRange ResourceQuota Binding',
  },
  'io.k8s.api.apps.v1': { path: 'apis/apps/v1', kinds: 'Deployment ReplicaSet DaemonSet' },
  'io.k8s.api.batch.v1': { path: 'apis/batch/v1', kinds: 'Job' },
  'io.k8s.api.events.v1': { path: 'apis/events.k8s.io/v1', kinds: 'Event' },
  'io.k8s.api.coordination.v1': { path: 'apis/coordination.k8s.io/v1', kinds: 'Lease' },
  'io.k8s.api.scheduling.v1': { path: 'apis/scheduling.k8s.io/v1', kinds: 'PriorityClass' },
  'io.k8s.api.policy.v1': { path: 'apis/policy/v1', kinds: 'PodDisruptionBudget Eviction' },
  'io.k8s.api.rbac.v1': {
    path: 'apis/rbac.authorization.k8s.io/v1',
    kinds: 'Role RoleBinding ClusterRole ClusterRoleBinding',
  },
  'io.k8s.api.autoscaling.v1': { path: 'apis/autoscaling/v1', kinds: 'Scale' },
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1': {
    path: 'apis/apiextensions.k8s.io/v1',
    kinds: 'CustomResourceDefinition',
  },
  'io.k8s.api.authorization.v1': {
    path: 'apis/authorization.k8s.io/v1',
    kinds: 'SelfSubjectAccessReview',
  },
  'io.k8s.api.authentication.v1': {
    path: 'apis/authentication.k8s.io/v1',
    kinds: 'SelfSubjectReview',
  },
  'io.k8s.apimachinery.pkg.apis.meta.v1': { path: 'api/v1', kinds: 'DeleteOptions Status' },
}

/** Types that are no plain message on the wire, or whose inside is not looked into. */
const words = new Map([
  ['io.k8s.apimachinery.pkg.apis.meta.v1.Time', 'time'],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime', 'micro-time'],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1', 'any'],
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', 'quantity'],
  ['io.k8s.apimachinery.pkg.util.intstr.IntOrString', 'int-or-string'],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', 'any'],
  ['io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps', 'any'],
])

/**
 * @typedef {Record<string, any>} Schema
 * @typedef {{ go: string, json: string, number: string, isEmbedded: boolean, isOmittable: boolean }} GoField
 */

const [kubectl = 'kubectl', cache = goModuleCache()] = process.argv.slice(2)

function goModuleCache() {
  return execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim()
}

/** @type {Record<string, Schema>} */
const schemas = {}
for (const path of new Set(Object.values(served).map(({ path }) => path))) {
  const text = execFileSync(kubectl, ['get', '--raw', `/openapi/v3/${path}`], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  Object.assign(schemas, JSON.parse(text).components.schemas)
}

/** `io.k8s.api.core.v1.Pod` is of package `io.k8s.api.core.v1`. @param {string} name */
const packageOf = (name) => name.slice(0, name.lastIndexOf('.'))
/** @param {string} name */
const lastOf = (name) => name.slice(name.lastIndexOf('.') + 1)
/** `core.v1.Pod`. @param {string} name */
const shortOf = (name) => name.split('.').slice(-3).join('.')
/** @param {Schema} schema @returns {string | undefined} */
const refOf = (schema) => (schema['$ref'] ?? schema['allOf']?.[0]['$ref'])?.split('/').at(-1)

/** @type {Map<string, Map<string, GoField[]>>} */
const goPackages = new Map()

/** The structs of a Go package: fields with both tags. @param {string} name of a package */
function goStructsOf(name) {
  const known = goPackages.get(name)
  if (known) return known
  const [module = '', ...rest] = name.split('.').slice(2)
  const file = join(cache, 'k8s.io', `${module}@${release}`, ...rest, 'types.go')
  /** @type {Map<string, GoField[]>} */
  const structs = new Map()
  const text = readFileSync(file, 'utf8')
  for (const [, type = '', body = ''] of text.matchAll(/^type (\w+) struct \{\n([^]*?)^\}/gm)) {
    const fields = body.matchAll(/^\t(?:\w+\s+)?([^\s/]+)\s+`json:"([^",]*)([^"]*)"(.*)`/gm)
    structs.set(
      type,
      Array.from(fields, ([, go = '', json = '', options = '', tags = '']) => ({
        go,
        json,
        number: /protobuf:"\w+,(\d+)/.exec(tags)?.[1] ?? '-',
        isEmbedded: options.includes('inline') || json === '',
        isOmittable: options.includes('omitempty') && !go.startsWith('*'),
      })),
    )
  }
  goPackages.set(name, structs)
  return structs
}

/** @param {Schema} schema @returns {string} */
function typeOf(schema) {
  const ref = refOf(schema)
  if (ref !== undefined) return words.get(ref) ?? shortOf(ref)
  if (schema['type'] === 'array') return `[]${typeOf(schema['items'])}`
  if (schema['type'] === 'object') return `{}${typeOf(schema['additionalProperties'])}`
  if (schema['format'] === 'byte') return 'bytes'
  return schema['type'] === 'integer' ? schema['format'] : schema['type']
}

/** @param {Schema} schema @param {GoField} go */
function defaultOf(schema, go) {
  const value = schema['default']
  // Go writes a struct, a number and a boolean without omitempty always. So it does with strings,
  // but an empty one is as missing for whoever validates.
  if (value === undefined || value === '') return []
  if (go.go.startsWith('*') && JSON.stringify(value) === '{}') return []
  return [`=${JSON.stringify(value)}`]
}

/** @param {Schema} schema */
function* listNotesOf(schema) {
  const [strategy] = (schema['x-kubernetes-patch-strategy'] ?? '').split(',')
  const key = schema['x-kubernetes-patch-merge-key']
  if (schema['x-kubernetes-list-type'] === 'set') yield 'set'
  if (schema['x-kubernetes-list-type'] === 'map')
    yield `by:${schema['x-kubernetes-list-map-keys'].join()}`
  if (strategy === 'merge') yield key === undefined ? 'merge' : `merge:${key}`
}

/** @param {Schema} schema @param {{ go: GoField, isRequired: boolean }} at */
function* notesOf(schema, { go, isRequired }) {
  if (isRequired) yield '!'
  const type = typeOf(schema)
  const isStruct = refOf(schema) !== undefined
  if (go.isOmittable && !isStruct && type !== 'any') yield '?'
  yield* defaultOf(schema, go)
  const choices = schema['enum'] ?? schema['items']?.['enum']
  if (choices) yield `enum:${choices.join('|')}`
  if (schema['x-kubernetes-map-type'] === 'atomic') yield 'atomic'
  yield* listNotesOf(schema)
}

/** @type {Map<string, string[]>} */
const written = new Map()
/** @type {Set<string>} */
const retainsKeys = new Set()

/** @param {string} name */
function writeType(name) {
  if (written.has(name) || words.has(name)) return
  /** @type {string[]} */
  const lines = []
  written.set(name, lines)
  writeFields(name, { of: schemas[name] ?? {}, lines, indent: '  ' })
}

/** @param {string} name of a struct @param {{ of: Schema, lines: string[], indent: string }} into */
function writeFields(name, { of, lines, indent }) {
  const structs = goStructsOf(packageOf(name))
  for (const go of structs.get(lastOf(name)) ?? []) {
    if (go.go === 'metav1.TypeMeta' || go.go === 'TypeMeta') {
      lines.push(`${indent}kind - string ?`, `${indent}apiVersion - string ?`)
    } else if (go.isEmbedded) {
      lines.push(`${indent}^${go.go} ${go.number}`)
      writeFields(`${packageOf(name)}.${go.go}`, { of, lines, indent: `${indent}  ` })
    } else if (of['properties'][go.json] !== undefined) {
      const schema = of['properties'][go.json]
      const isRequired = of['required']?.includes(go.json) ?? false
      const words = [go.json, go.number, typeOf(schema), ...notesOf(schema, { go, isRequired })]
      lines.push(indent + words.join(' '))
      const ref = refOf(schema) ?? refOf(schema['items'] ?? schema['additionalProperties'] ?? {})
      if (ref === undefined) continue
      if (schema['x-kubernetes-patch-strategy']?.includes('retainKeys')) retainsKeys.add(ref)
      writeType(ref)
    }
  }
}

for (const [name, { kinds }] of Object.entries(served)) {
  for (const kind of kinds.split(' ')) writeType(`${name}.${kind}`)
}

/** @param {string} name */
const headOf = (name) =>
  [
    shortOf(name),
    ...(schemas[name]?.['x-kubernetes-map-type'] === 'atomic' ? ['atomic'] : []),
    ...(retainsKeys.has(name) ? ['retainKeys'] : []),
  ].join(' ')

const names = [...written.keys()].toSorted()
for (const name of names) {
  const properties = Object.keys(schemas[name]?.['properties'] ?? {})
  const lines = written.get(name) ?? []
  const found = new Set(lines.map((line) => line.trim().split(' ')[0]))
  const missing = properties.filter((property) => !found.has(property))
  if (missing.length > 0) throw new Error(`${name}: found no Go field for ${missing.join()}`)
}
const packages = [...new Set(names.map((name) => packageOf(name)))]
writeFileSync(
  target,
  `/** Generated by scripts/kube-types.mjs from Kubernetes ${release.replace('v0', 'v1')}; parse.ts reads it. */
export const kubeTypes = \`
${packages.map((name) => `@${shortOf(`${name}.`).slice(0, -1)} ${name}`).join('\n')}
${names.flatMap((name) => [headOf(name)].concat(written.get(name) ?? [])).join('\n')}
\`
`,
)
