/** Sends questions.jsonl to a real API server and writes its answers: see README.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'

import { parse } from 'yaml'

type Manifest = { readonly metadata: { readonly name: string } }
type Given = { readonly of: string; readonly object: Manifest }
type Question = Given & {
  readonly name: string
  readonly given?: readonly Given[]
  readonly old?: Manifest
}
type Said = {
  readonly kind: string
  readonly code?: number
  readonly message?: string
  readonly metadata: Readonly<Record<string, unknown>>
}
type Table = {
  readonly columnDefinitions: readonly Readonly<Record<string, unknown>>[]
  readonly rows: readonly { readonly cells: readonly unknown[] }[]
}
type Config = {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[]
  readonly users: readonly { readonly user: { readonly token: string } }[]
}

const folder = 'test/oracles/kinds'
const home = 'h-kinds'
const config = parse(readFileSync(process.env['KUBECONFIG'] ?? '', 'utf8')) as Config
const { server = '', ...secured } = config.clusters[0]?.cluster ?? {}
const token = config.users[0]?.user.token
const clusterWide = /\/(namespaces|nodes|priorityclasses|clusterroles|clusterrolebindings)$/
const isTime = /^(Age|Created At|(First|Last) Seen)$/

type Asked = { readonly path: string; readonly body?: unknown; readonly accept?: string }

const ask = async (method: string, { path, body, accept = 'application/json' }: Asked) =>
  new Promise<Said>((resolve, reject) => {
    const sent = request(
      `${server}${path}`,
      {
        method,
        ca: readFileSync(secured['certificate-authority'] ?? ''),
        servername: secured['tls-server-name'],
        headers: {
          accept,
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
        },
      },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => resolve(JSON.parse(Buffer.concat(parts).toString()) as Said))
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })

function pathOf(of: string, namespace: string): string {
  const [plural, version, group] = of.split('/').toReversed()
  const root = group === undefined ? `/api/${version}` : `/apis/${group}/${version}`
  return clusterWide.test(of) ? `${root}/${plural}` : `${root}/namespaces/${namespace}/${plural}`
}

async function create(path: string, body: Manifest): Promise<void> {
  const made = await ask('POST', { path, body })
  if (made.kind === 'Status') throw new Error(`creating at ${path}: ${made.message}`)
}

async function answerTo({ of, old, object }: Question, namespace: string): Promise<Said> {
  const path = pathOf(of, namespace)
  if (old === undefined) return ask('POST', { path: `${path}?dryRun=All`, body: object })
  await create(path, old)
  const at = `${path}/${old.metadata.name}`
  const answer = await ask('PUT', { path: `${at}?dryRun=All`, body: object })
  await ask('DELETE', { path: at })
  return answer
}

const namespaces = '/api/v1/namespaces'

/** In a namespace of its own, and late enough for admission to have seen it. */
async function answerAfter(question: Question, namespace: string): Promise<Said> {
  await create(namespaces, { metadata: { name: namespace } })
  for (const { of, object } of question.given ?? []) {
    await create(pathOf(of, namespace), object)
    await sleep(1500)
  }
  const answer = await answerTo(question, namespace)
  await ask('DELETE', { path: `${namespaces}/${namespace}` })
  return JSON.parse(JSON.stringify(answer).replaceAll(namespace, home)) as Said
}

/** Without what differs from run to run. */
function constantPart(answer: Said): object {
  const { kind, code, message, metadata } = answer
  if (kind === 'Status') return { code, message }
  const {
    uid: _,
    resourceVersion: __,
    creationTimestamp: ___,
    managedFields: ____,
    ...kept
  } = metadata
  return { object: { ...answer, metadata: kept } }
}

/** As kubectl would print it: what stands in every column, by its name. */
async function cellsOf({ of, object }: Question): Promise<unknown[]> {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
  const path = `${pathOf(of, home)}?dryRun=All`
  const table = (await ask('POST', { path, body: object, accept })) as unknown as Table
  const cells = table.rows[0]?.cells ?? []
  return table.columnDefinitions.map(({ name, type, format, priority }, index) => [
    [name, type, format, priority].join('|'),
    isTime.test(String(name)) && cells[index] !== '<unknown>' ? '(time)' : cells[index],
  ])
}

const rows: string[] = []
await create(namespaces, { metadata: { name: home } })
const questions = readFileSync(`${folder}/questions.jsonl`, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Question)
for (const [index, one] of questions.entries()) {
  const isAlone = one.given === undefined && one.old === undefined
  const answer = one.given ? await answerAfter(one, `${home}-g${index}`) : await answerTo(one, home)
  const cells = isAlone && answer.kind !== 'Status' && { cells: await cellsOf(one) }
  const row = JSON.stringify({ name: one.name, ...constantPart(answer), ...cells })
  rows.push(row.replaceAll(/[0-9a-f]{8}-[-0-9a-f]{27}/g, '(uid)'))
}
await ask('DELETE', { path: `${namespaces}/${home}` })
writeFileSync(`${folder}/answers.jsonl`, `${rows.join('\n')}\n`)
