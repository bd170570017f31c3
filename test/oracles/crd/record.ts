import type { JsonObject } from '../../../src/sim/apiserver/object.ts'
/** Asks a real server all of `kinds.ts` and `mistakes.ts`, and prints its answers: see the README. */
import { ask } from '../../contracts/ask.ts'
import type { ContractServer } from '../../contracts/case.ts'
import { definitionOf, group, pluralOf } from './definition.ts'
import type { Kind } from './kind.ts'
import { kinds } from './kinds.ts'
import { mistakes, withMistake } from './mistakes.ts'

const kubeconfig = process.env['KUBECONFIG'] ?? ''
const server = { kubeconfig } as ContractServer
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const namespace = 'h-crd'
const say = (line: JsonObject): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

type Said = { readonly code: number; readonly body: Record<string, never> & { message?: string } }

async function send(method: string, path: string, body?: JsonObject): Promise<Said> {
  const { code, text } = await ask(server, path, {
    method,
    ...(body && { contentType: 'application/json', body: JSON.stringify(body) }),
  })
  return { code, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Said['body'] }
}

/** Of what was refused its message, of what was taken the part that the request wrote. */
const outcome = ({ code, body }: Said, part: string): JsonObject =>
  code < 300 ? { code, result: body[part] ?? null } : { code, message: body.message ?? '' }

async function askKind(kind: Kind): Promise<void> {
  const crd = definitionOf(kind)
  const plural = pluralOf(kind)
  const path = `/apis/${group}/v1/namespaces/${namespace}/${plural}`
  await send('DELETE', `${crds}/${plural}.${group}`)
  await until(async () => (await send('GET', `${crds}/${plural}.${group}`)).code === 404)
  const made = await send('POST', crds, crd)
  say({ crd, code: made.code, ...(made.code >= 300 && { message: made.body.message ?? '' }) })
  if (made.code >= 300) return
  await until(async () => (await send('GET', path)).code === 200)
  const object = (spec: JsonObject, more: JsonObject = {}): JsonObject => ({
    apiVersion: `${group}/v1`,
    kind: kind.kind,
    metadata: { name: 'a', namespace, ...more },
    spec,
  })
  for (const spec of kind.creates) {
    const said = await send('POST', `${path}?dryRun=All`, object(spec))
    say({ of: kind.kind, spec, ...outcome(said, 'spec') })
  }
  for (const { from, to } of kind.updates ?? []) {
    await send('POST', path, object(from))
    const said = await send('PUT', `${path}/a?dryRun=All`, object(to, await versionOf(path)))
    say({ of: kind.kind, from, spec: to, ...outcome(said, 'spec') })
    await send('DELETE', `${path}/a`)
  }
  for (const { from, to } of kind.statuses ?? []) {
    const [spec = {}] = kind.creates
    await send('POST', path, object(spec))
    await send('PUT', `${path}/a/status`, { ...object(spec, await versionOf(path)), status: from })
    const status = { ...object(spec, await versionOf(path)), status: to }
    const said = await send('PUT', `${path}/a/status?dryRun=All`, status)
    say({ of: kind.kind, object: spec, from, status: to, ...outcome(said, 'status') })
    await send('DELETE', `${path}/a`)
  }
  if (kind.columns) await askTable(kind, path, object)
  await send('DELETE', `${crds}/${plural}.${group}`)
}

async function versionOf(path: string): Promise<JsonObject> {
  const { body } = await send('GET', `${path}/a`)
  const { metadata } = body as unknown as { metadata: JsonObject }
  return { resourceVersion: metadata['resourceVersion'] }
}

async function askTable(
  kind: Kind,
  path: string,
  object: (spec: JsonObject) => JsonObject,
): Promise<void> {
  const [spec = {}] = kind.creates
  await send('POST', path, object(spec))
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
  const { text } = await ask(server, path, { accept })
  const { columnDefinitions, rows } = JSON.parse(text) as {
    columnDefinitions: JsonObject[]
    rows: JsonObject[]
  }
  say({
    of: kind.kind,
    table: spec,
    columns: columnDefinitions.slice(1),
    cells: rows[0]?.['cells'],
  })
  await send('DELETE', `${path}/a`)
}

async function until(done: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 100; i += 1) {
    if (await done()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('waiting for a CRD: expected it within 10 s')
}

await send('POST', '/api/v1/namespaces', {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: namespace },
})
for (const kind of kinds) await askKind(kind)
for (const mistake of mistakes) {
  const said = await send('POST', `${crds}?dryRun=All`, withMistake(mistake))
  say({
    mistake: JSON.parse(JSON.stringify(mistake)) as JsonObject,
    code: said.code,
    message: said.body.message ?? '',
  })
}
await send('DELETE', `/api/v1/namespaces/${namespace}`)
