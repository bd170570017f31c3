/** What the real server answered to the questions in test/oracles/kinds, ours must answer too. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe } from 'node:test'

import { each } from '../../../../test/each.ts'
import { seededRandom } from '../../../core/random.ts'
import { createAgenda } from '../../create-agenda.ts'
import { examine, mutate } from '../admission/admit.ts'
import type { Meta } from '../object.ts'
import { type ApiServer, createApiServer } from '../server.ts'
import { builtInTypes } from './built-in-types.ts'
import type { PodSpec } from './pod/types.ts'

type Manifest = { readonly metadata: { readonly name: string } }
type Question = {
  readonly name: string
  readonly of: string
  readonly given?: readonly { readonly of: string; readonly object: Manifest }[]
  readonly old?: Manifest
  readonly object: Manifest
}
type Cell = readonly [column: string, cell: unknown]
type Answer = {
  readonly code?: number
  readonly message?: string
  readonly object?: object
  readonly cells?: readonly Cell[]
}

const folder = 'test/oracles/kinds'
const home = 'h-kinds'
const rowsOf = <T>(file: string): T[] =>
  readFileSync(`${folder}/${file}`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

const questions = rowsOf<Question>('questions.jsonl')
const answers = new Map(
  rowsOf<Answer & { readonly name: string }>('answers.jsonl').map(({ name, ...answer }) => [
    name,
    answer,
  ]),
)

const types = builtInTypes()

function newServer(): ApiServer {
  const agenda = createAgenda({ speed: 'max', startsAt: Date.parse('2026-01-01T00:00:00Z') })
  return createApiServer({ agenda, random: seededRandom(1), types, admit: mutate, examine })
}

function pathOf(of: string): string {
  const [plural, version, group] = of.split('/').toReversed()
  const root = group === undefined ? `/api/${version}` : `/apis/${group}/${version}`
  const type = types.find((one) => one.plural === plural && one.group === (group ?? ''))
  assert.ok(type, of)
  return type.namespaced ? `${root}/namespaces/${home}/${plural}` : `${root}/${plural}`
}

type Asked = { readonly path: string; readonly body: unknown; readonly accept?: string }
type Said = Answer & { readonly kind: string; readonly metadata: Meta }

function ask(server: ApiServer, method: string, { path, body, accept }: Asked): Said {
  const headers = { 'content-type': 'application/json', ...(accept && { accept }) }
  const answer = server.handle({ method, path, headers, body: JSON.stringify(body) })
  assert.ok(answer.kind === 'whole')
  return JSON.parse(answer.body) as Said
}

function answerTo({ of, given = [], old, object }: Question, accept?: string): Said {
  const server = newServer()
  ask(server, 'POST', { path: pathOf('v1/namespaces'), body: { metadata: { name: home } } })
  const create = (path: string, body: Manifest) => {
    const made = ask(server, 'POST', { path, body })
    assert.notEqual(made.kind, 'Status', made.message)
  }
  for (const one of given) create(pathOf(one.of), one.object)
  const path = pathOf(of)
  if (old === undefined) {
    const asked = { path: `${path}?dryRun=All`, body: object }
    return ask(server, 'POST', { ...asked, ...(accept !== undefined && { accept }) })
  }
  create(path, old)
  const at = `${path}/${old.metadata.name}?dryRun=All`
  return ask(server, 'PUT', { path: at, body: object })
}

const withoutUids = (text: string): string => text.replaceAll(/[0-9a-f]{8}-[-0-9a-f]{27}/g, '(uid)')

/** Without what differs from run to run. */
function constantPart({ metadata, code, message, ...rest }: Said): Answer {
  if (rest.kind === 'Status') return { code, message } as Answer
  const {
    uid: _,
    resourceVersion: __,
    creationTimestamp: ___,
    managedFields: ____,
    ...kept
  } = metadata
  return { object: withoutAccount({ ...rest, metadata: kept }) }
}

type Kinded = { readonly kind: string; readonly metadata: object; readonly spec?: object }

/** The real cluster was asked without its ServiceAccount plugin, which waits for tokens. */
function withoutAccount(object: Kinded): object {
  if (object.kind !== 'Pod') return object
  const { serviceAccountName, serviceAccount, ...spec } = { ...object.spec } as PodSpec
  assert.deepEqual([serviceAccountName, serviceAccount], ['default', 'default'])
  return { ...object, spec }
}

const comparable = (answer: Answer): unknown => JSON.parse(withoutUids(JSON.stringify(answer)))

type Table = {
  readonly columnDefinitions: readonly {
    readonly name: string
    readonly type: string
    readonly format: string
    readonly priority: number
  }[]
  readonly rows: readonly { readonly cells: readonly unknown[] }[]
}

const isTime = /^(Age|Created At|(First|Last) Seen)$/

function cellsOf(question: Question): readonly Cell[] {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
  const { columnDefinitions, rows } = answerTo(question, accept) as unknown as Table
  return columnDefinitions.map(({ name, type, format, priority }, index) => [
    [name, type, format, priority].join('|'),
    isTime.test(name) && rows[0]?.cells[index] !== '<unknown>' ? '(time)' : rows[0]?.cells[index],
  ])
}

void describe('sim/apiserver/kinds answer as the real server', () => {
  each(questions, (question) => {
    const { cells: _, ...answer } = answers.get(question.name) ?? {}
    assert.deepEqual(comparable(constantPart(answerTo(question))), comparable(answer))
  })
})

void describe('sim/apiserver/kinds print as the real server', () => {
  const printed = questions.filter(({ name }) => answers.get(name)?.cells !== undefined)
  each(printed, (question) => {
    const expected = answers.get(question.name)?.cells
    assert.deepEqual(
      comparable({ cells: cellsOf(question) }),
      comparable({ cells: expected ?? [] }),
    )
  })
})
