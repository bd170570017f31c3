/** Our CRDs against what a real server answered: see test/oracles/crd. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

import { withMistake, type Mistake } from '../../../../test/oracles/crd/mistakes.ts'
import { decode } from '../decode/decode.ts'
import { setDefaults } from '../decode/set-defaults.ts'
import type { ApiObject, Json, JsonObject } from '../object.ts'
import { invalid, type FieldError } from '../refusal.ts'
import type { ResourceType, Situation, Strategy } from '../resource-type.ts'
import { crdRules } from './rules.ts'
import { typesOf } from './types-of.ts'

type Answer = { readonly code: number; readonly message?: string }
type Line = Answer & {
  readonly crd?: JsonObject
  readonly mistake?: Mistake
  readonly of?: string
  readonly spec?: JsonObject
  readonly from?: JsonObject
  readonly object?: JsonObject
  readonly status?: JsonObject
  readonly result?: Json
  readonly table?: JsonObject
  readonly columns?: readonly JsonObject[]
  readonly cells?: readonly Json[]
}

const lines = readFileSync('test/oracles/crd/answers.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line)

const now = Date.parse('2026-01-02T03:04:05Z')
const at: Situation = { now, find: () => undefined, all: () => [] }
const created = '2026-01-02T03:04:05Z'

/** Where ours answers differently, and why. */
const exempt: readonly { readonly says: RegExp; readonly why: string }[] = [
  {
    says: /"of":"Newer"|newers\.crd/,
    why: 'no comprehensions of two variables, semver or named formats',
  },
  { says: /mismatched input/, why: "the words of syntax errors are the CEL library's" },
]

/** An exemption that no longer holds fails. */
const register = (title: string, why: string | undefined, check: () => void): void =>
  why === undefined
    ? void test(title, check)
    : void test(`${title}; not so ours: ${why}`, () => assert.throws(check))

/** Go's maps have no order, so that the errors of the real server come in any. */
function sameErrors(
  errors: readonly FieldError[],
  said: string,
  of: Parameters<typeof invalid>[0],
  name: string,
): void {
  const ours = invalid(of, name, errors).message
  const texts = errors.map((error) =>
    invalid(of, name, [error]).message.split(' is invalid: ').slice(1).join(' is invalid: '),
  )
  // Go escapes these in JSON; the refusal's text does not.
  let rest = said
    .slice(said.indexOf(' is invalid: ') + ' is invalid: '.length)
    .replace(/\\u00(26|3c|3e)/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
  for (const text of new Set(texts)) {
    if (!rest.includes(text)) assert.equal(ours, said)
    rest = rest.replace(text, () => '')
  }
  if (rest.replace(/^\[|\]$/g, '').replaceAll(', ', '') !== '') assert.equal(ours, said)
}

function prepared(crd: JsonObject): ApiObject {
  const { strategy } = crdRules
  const object = withMeta(crd)
  const defaulted = strategy.setDefaults?.(object) ?? object
  return strategy.prepareCreate?.(defaulted, at) ?? defaulted
}

const withMeta = (object: JsonObject): ApiObject => {
  const metadata = { uid: 'u', creationTimestamp: created, ...(object['metadata'] as JsonObject) }
  return { ...object, metadata } as unknown as ApiObject
}

const types = new Map<string, ResourceType>()
for (const { crd, code } of lines) {
  if (!crd || code >= 300) continue
  const [type] = typesOf(prepared(crd))
  if (type) types.set(type.kind, type)
}

function typeOf(kind: string): ResourceType {
  const type = types.get(kind)
  assert.ok(type, `no type ${kind}`)
  return type
}

function read(type: ResourceType, parts: JsonObject): ApiObject {
  const { group, version, kind } = type
  const written = {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name: 'a', namespace: 'h-crd' },
    ...parts,
  }
  const { object } = decode(written, type.shape, { unknown: 'drop' })
  return withMeta(setDefaults(object, type.shape))
}

function outcome(
  type: ResourceType,
  line: Line,
): { errors: readonly FieldError[]; object: ApiObject } {
  const { strategy } = type
  const create = (parts: JsonObject): ApiObject => {
    const object = read(type, parts)
    return strategy.prepareCreate?.(object, at) ?? object
  }
  if (line.status) {
    const old = { ...create({ spec: line.object }), status: line.from }
    return update(strategy, {
      old,
      next: read(type, { spec: line.object, status: line.status }),
      subresource: 'status',
    })
  }
  if (line.from) {
    const old = create({ spec: line.from })
    return update(strategy, { old, next: read(type, { spec: line.spec }), subresource: '' })
  }
  const object = create({ spec: line.spec })
  return { errors: strategy.validateCreate?.(object, at) ?? [], object }
}

function update(
  strategy: Strategy,
  { old, next, subresource }: { old: ApiObject; next: ApiObject; subresource: '' | 'status' },
): { errors: readonly FieldError[]; object: ApiObject } {
  const situation = { ...at, subresource }
  const object = strategy.prepareUpdate?.(next, old, situation) ?? next
  return { errors: strategy.validateUpdate?.(object, old, situation) ?? [], object }
}

void describe('sim/apiserver/crd oracle', () => {
  for (const line of lines) {
    const { of = '', code, message = '' } = line
    const why = exempt.find(({ says }) => says.test(JSON.stringify(line)))?.why
    if (line.crd) {
      register(`takes the CRD of ${JSON.stringify(line.crd['metadata'])}`, why, () => {
        assert.deepEqual(crdRules.strategy.validateCreate?.(prepared(line.crd ?? {}), at), [])
      })
    } else if (line.mistake) {
      // What JSON has as null was left out.
      const crd = withMistake(line.mistake.map(([path, value]) => [path, value ?? undefined]))
      register(`a CRD with ${JSON.stringify(line.mistake)} is answered with ${code}`, why, () => {
        const object = prepared(JSON.parse(JSON.stringify(crd)) as JsonObject)
        const errors = crdRules.strategy.validateCreate?.(object, at) ?? []
        if (code < 300) assert.deepEqual(errors, [])
        else
          sameErrors(
            errors,
            message,
            { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' },
            object.metadata.name,
          )
      })
    } else if (line.table) {
      void test(`${of} is printed with its columns`, () => {
        const type = typeOf(of)
        const object = read(type, { spec: line.table })
        const cells = type.columns.map(({ cell }) => cell(object, { now }))
        assert.deepEqual(cells, line.cells?.slice(1))
        const columns = type.columns.map(
          ({ name, type: kind, format = '', description, priority }) => ({
            name,
            type: kind,
            format,
            description,
            priority,
          }),
        )
        assert.deepEqual(columns, line.columns)
      })
    } else {
      const asked = JSON.stringify({
        from: line.from,
        ...(line.spec ? { spec: line.spec } : { status: line.status }),
      })
      register(`${of} ${asked} is answered with ${code}`, why, () => {
        const type = typeOf(of)
        const { errors, object } = outcome(type, line)
        if (code >= 300) sameErrors(errors, message, type, 'a')
        else {
          assert.deepEqual(errors, [])
          assert.deepEqual(line.status ? object.status : object.spec, line.result)
        }
      })
    }
  }
})
