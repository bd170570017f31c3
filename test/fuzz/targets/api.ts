/** The embedded API server: each input is a few requests to a new one. What it throws is a bug of ours. */
import { seededRandom, type Random } from '../../../src/core/random.ts'
import { examine, mutate } from '../../../src/sim/apiserver/admission/admit.ts'
import { parseJsonPath } from '../../../src/sim/apiserver/crd/json-path.ts'
import { typesOf } from '../../../src/sim/apiserver/crd/types-of.ts'
import { builtInTypes } from '../../../src/sim/apiserver/kinds/built-in-types.ts'
import { Refusal } from '../../../src/sim/apiserver/refusal.ts'
import { compileRegexp } from '../../../src/sim/apiserver/regexp/regexp.ts'
import { TooCostly } from '../../../src/sim/apiserver/regexp/search.ts'
import { parseLabelSelector } from '../../../src/sim/apiserver/select/labels.ts'
import type { Answer } from '../../../src/sim/apiserver/serve/exchange.ts'
import { createApiServer } from '../../../src/sim/apiserver/server.ts'
import { createAgenda } from '../../../src/sim/create-agenda.ts'
import { recorded } from '../../sim/recorded-protobuf.ts'
import { chance, mutateBytes, mutateText, mutateValue, oddTexts, pick } from '../generate.ts'
import { asText, type FuzzTarget } from '../target.ts'
import {
  boat,
  boats,
  definition,
  definitions,
  randomAccept,
  randomPath,
  seeds,
} from './api-seeds.ts'

type Asked = {
  readonly method: string
  readonly path: string
  readonly type?: string
  readonly accept?: string
  /** As text, or as bytes in base64. */
  readonly body?: string
  readonly bytes?: string
}

const types = builtInTypes()
const by = { manager: 'fuzz' }

export function newServer(hasBoats: boolean) {
  const agenda = createAgenda({ speed: 'max', startsAt: Date.parse('2026-01-01T00:00:00Z') })
  const server = createApiServer({
    agenda,
    random: seededRandom(1),
    types,
    typesOf,
    admit: mutate,
    examine,
  })
  server.api.create({ group: '', plural: 'namespaces' }, { metadata: { name: 'default' } }, by)
  if (hasBoats)
    server.api.create(
      { group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions' },
      definition,
      by,
    )
  return { ...server, agenda }
}

/** None where it was made smaller and is no list of requests any more. */
function requestsIn(input: string): readonly Partial<Asked>[] {
  try {
    const read = JSON.parse(input) as unknown
    const list = (Array.isArray(read) ? read : []) as readonly unknown[]
    return list.filter((one): one is Partial<Asked> => typeof one === 'object' && one !== null)
  } catch {
    return []
  }
}

async function perform(input: string): Promise<void> {
  const requests = requestsIn(input)
  const server = newServer(requests.some(({ path }) => String(path).includes('/boats')))
  for (const asked of requests) {
    await server.agenda.run({ until: server.agenda.now() + 1 })
    const { method = 'GET', path = '/', type = 'application/json', accept = '*/*' } = asked
    const body = asked.bytes === undefined ? asked.body : Buffer.from(asked.bytes, 'base64')
    const headers = { 'content-type': type, accept, 'user-agent': 'fuzz' }
    take(server.handle({ method, path, headers, body }))
  }
}

function take(answer: Answer): void {
  if (answer.kind === 'stream')
    return answer.start({ send: () => true, end: () => undefined }).stop()
  if (answer.kind !== 'whole') return
  for (const value of Object.values(answer.headers)) {
    // oxlint-disable-next-line no-control-regex
    if (/[\u0000-\u001f\u007f]/.test(value ?? ''))
      throw new TypeError(`a header has ${JSON.stringify(value)}`)
  }
  if (answer.headers['content-type']?.includes('json') === true) JSON.parse(answer.body)
}

const script = (
  name: string,
  make: (random: Random) => readonly Asked[],
  share = 1,
): FuzzTarget => ({
  name,
  generate: (random) => JSON.stringify(make(random)),
  run: async (input) => perform(asText(input)),
  share,
})

const write = (random: Random, value: unknown): string =>
  chance(random, 0.1)
    ? mutateText(random, [JSON.stringify(value)])
    : JSON.stringify(mutateValue(random, value))

const create = (at: (typeof seeds)[number]): Asked => ({
  method: 'POST',
  path: at.path,
  body: JSON.stringify(at.object),
})

/** Parts of the object, changed, as a patch. */
function patchOf(random: Random, at: (typeof seeds)[number]): Asked {
  const path = `${at.path}/${(at.object['metadata'] as { name: string }).name}?fieldManager=${pick(random, ['m', 'n'])}`
  const form = pick(random, [
    'json-patch+json',
    'merge-patch+json',
    'strategic-merge-patch+json',
    'apply-patch+yaml',
  ])
  const body =
    form === 'json-patch+json'
      ? write(random, operationsOn(random, at.object))
      : write(random, mutateValue(random, at.object))
  return {
    method: 'PATCH',
    path: form.startsWith('apply') ? `${path}&force=true` : path,
    type: `application/${form}`,
    body,
  }
}

function operationsOn(random: Random, object: object): readonly object[] {
  const pointer = (): string => {
    let [at, path]: [unknown, string] = [object, '']
    while (
      typeof at === 'object' &&
      at !== null &&
      Object.keys(at).length > 0 &&
      chance(random, 0.8)
    ) {
      const key = pick(random, Object.keys(at))
      path += `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
      at = (at as Record<string, unknown>)[key]
    }
    return chance(random, 0.1)
      ? path + pick(random, ['/-', '/0', '/-1', '/99', '/__proto__', '', '~2', '/constructor'])
      : path
  }
  return Array.from({ length: 1 + Math.floor(random() * 6) }, () => ({
    op: pick(random, ['add', 'replace', 'remove', 'move', 'copy', 'test']),
    path: pointer(),
    from: pointer(),
    value: mutateValue(random, object),
  }))
}

const rules = [
  'self.items.all(x, self.items.all(y, x == y))',
  'self.any.x.size() > 0',
  "self.name.matches('(a+)+$')",
  'oldSelf == self',
  "self.name.replace('a', self.name).size() < 5",
  'self.parts.map(p, p.key).distinct().size() == 2',
  'self.count / 0 == 1',
  "quantity('1Gi').isGreaterThan(quantity('1'))",
  "url('http://a').getHost() == 'a'",
  "'%s %d'.format([self.name, self.count]) != ''",
  "self.items.exists_one(x, x.startsWith('a'))",
  "cidr('10.0.0.0/8').containsIP('10.1.1.1')",
  'self.items == self.items',
  "self.name.split('')[5] == 'a'",
]
const patterns = [
  '^(a+)+$',
  '[a-z',
  '(?i)x',
  '\\p{L}+',
  'a{1000}',
  '(a|aa)*$',
  '^.{0,63}$',
  '[[:alpha:]]+',
  '(?P<n>a)',
]

function defining(random: Random): readonly Asked[] {
  const written = structuredClone(definition)
  const spec = written.spec.versions[0]?.schema.openAPIV3Schema.properties.spec
  if (spec) {
    const rule = chance(random, 0.5) ? pick(random, rules) : mutateText(random, rules)
    spec['x-kubernetes-validations'] = [{ rule, message: 'no' }]
    spec.properties.name.pattern = chance(random, 0.5)
      ? pick(random, patterns)
      : mutateText(random, patterns)
  }
  const value = chance(random, 0.5) ? written : mutateValue(random, written)
  const one: Asked = { method: 'POST', path: boats, body: write(random, boat) }
  const shown: Asked = {
    method: 'GET',
    path: boats,
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  }
  const explained: Asked = { method: 'GET', path: '/openapi/v3/apis/example.com/v1' }
  return [
    { method: 'DELETE', path: `${definitions}/boats.example.com` },
    { method: 'POST', path: definitions, body: JSON.stringify(value) },
    one,
    patchOf(random, { path: boats, object: boat }),
    shown,
    explained,
  ]
}

const messages = recorded.map(({ base64 }) => Buffer.from(base64, 'base64'))

const parser = (
  name: string,
  from: readonly string[],
  parse: (text: string) => unknown,
): FuzzTarget => ({
  name,
  generate: (random) => mutateText(random, from),
  run: (input) => void parse(asText(input)),
  refuses: (error) =>
    error instanceof Refusal || error instanceof SyntaxError || error instanceof TooCostly,
})

export const api: readonly FuzzTarget[] = [
  script('api-requests', (random) => {
    const at = pick(random, seeds)
    const method = pick(random, [
      'GET',
      'GET',
      'GET',
      'DELETE',
      'POST',
      'PUT',
      'PATCH',
      'HEAD',
      'constructor',
    ])
    return [
      create(at),
      {
        method,
        path: randomPath(random),
        accept: randomAccept(random),
        body: chance(random, 0.3) ? pick(random, oddTexts) : '{}',
      },
    ]
  }),
  script('api-bodies', (random) => {
    const at = pick(random, seeds)
    const posted: Asked = { method: 'POST', path: at.path, body: write(random, at.object) }
    const put: Asked = { method: 'PUT', path: `${at.path}/a`, body: write(random, at.object) }
    return [posted, create(at), put, { method: 'GET', path: at.path, accept: randomAccept(random) }]
  }),
  script('api-patches', (random) => {
    const at = pick(random, seeds)
    return [create(at), patchOf(random, at), patchOf(random, at)]
  }),
  script('api-definitions', defining, 0.5),
  script('api-protobuf', (random) => {
    const type = 'application/vnd.kubernetes.protobuf'
    const bytes = Buffer.from(mutateBytes(random, messages)).toString('base64')
    return [{ method: 'POST', path: pick(random, seeds).path, type, bytes }]
  }),
  parser(
    'label-selector',
    ['team in (a,b),!old,size>3', 'a=b,c!=d', 'x notin (y)'],
    parseLabelSelector,
  ),
  parser(
    'json-path',
    ['.spec.a', '.items[*].a', ".map['a.b']", '.c[?(@.type=="Ready")].status'],
    parseJsonPath,
  ),
  parser(
    'regexp',
    [...patterns, '^[a-z]([-a-z0-9]*[a-z0-9])?$', '(?s:.)\\Qa\\E{2,3}?|\\x{41}'],
    (text) => compileRegexp(text).findAll(`${text}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab`),
  ),
]
