/** For tests: an embedded cluster at full speed, and short words for what tests ask of it. */
import assert from 'node:assert/strict'

import type { ResourceRef } from '../../src/sim/apiserver/api.ts'
import type { ApiObject, JsonObject } from '../../src/sim/apiserver/object.ts'
import { createCluster, type SimCluster } from '../../src/sim/cluster.ts'
import type { Condition, PodObject } from '../../src/sim/controllers/workload.ts'
import { events, pods } from '../../src/sim/resources.ts'

const by = { manager: 'test' }
/** 2026-01-01. */
const startsAt = 1_767_225_600_000

export type TestCluster = SimCluster & {
  /** So many simulated seconds on. */
  readonly pass: (seconds: number) => Promise<void>
  readonly add: (of: ResourceRef, object: JsonObject & { metadata: JsonObject }) => ApiObject
  readonly get: (of: ResourceRef, name: string) => ApiObject | undefined
  readonly status: (of: ResourceRef, name: string) => Record<string, unknown>
  /** Merges into the spec, as a client does. */
  readonly edit: (of: ResourceRef, name: string, spec: JsonObject) => void
  readonly pods: (prefix?: string) => readonly PodObject[]
  /** `Reason: message` of the events about one object. */
  readonly events: (name: string) => readonly string[]
}

export async function startTestCluster(nodes = 2): Promise<TestCluster> {
  const cluster = createCluster({
    nodes: [
      { name: 'node', count: nodes, cpus: 8, memory: '16Gi', pods: 110, labels: {}, extended: {} },
    ],
    seed: 1,
    speed: 'max',
    startsAt,
  })
  const { api, agenda } = cluster
  const pass = async (seconds: number) => agenda.run({ until: agenda.now() + seconds * 1000 })
  const get = (of: ResourceRef, name: string) =>
    api.find(of, { namespace: 'default', name }) ?? api.find(of, { name })
  await pass(5)
  return {
    ...cluster,
    pass,
    get,
    status: (of, name) => (get(of, name)?.status ?? {}) as Record<string, unknown>,
    add: (of, object) => {
      const place = of.plural === 'namespaces' ? {} : { namespace: 'default' }
      return api.create(of, { ...object, metadata: { ...place, ...object.metadata } }, by)
    },
    edit: (of, name, spec) => {
      const root = of.group === '' ? '/api/v1' : `/apis/${of.group}/v1`
      const answer = cluster.handle({
        method: 'PATCH',
        path: `${root}/namespaces/default/${of.plural}/${name}`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify({ spec }),
      })
      const text = answer.kind === 'whole' ? answer.body : answer.kind
      assert.equal(answer.kind === 'whole' && answer.status, 200, text)
    },
    pods: (prefix = '') =>
      (api.list(pods, 'default') as readonly PodObject[]).filter(({ metadata }) =>
        metadata.name.startsWith(prefix),
      ),
    events: (name) =>
      (api.list(events) as readonly (ApiObject & EventParts)[])
        .filter(({ involvedObject }) => involvedObject.name === name)
        .map(({ reason, message }) => `${reason}: ${message}`),
  }
}

type EventParts = {
  readonly involvedObject: { readonly name: string }
  readonly reason: string
  readonly message: string
}

export const container = (more: JsonObject = {}): JsonObject => ({
  name: 'main',
  image: 'app:1',
  resources: { requests: { cpu: '10m' } },
  ...more,
})

export const template = (app: string, more: JsonObject = {}): JsonObject => ({
  metadata: { labels: { app } },
  spec: { terminationGracePeriodSeconds: 1, containers: [container()], ...more },
})

export const deployment = (name: string, spec: JsonObject = {}) => ({
  metadata: { name },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: name } },
    template: template(name),
    ...spec,
  },
})

/** `Type Status Reason: message`. */
export const conditionsOf = (object: ApiObject | undefined): readonly string[] =>
  ((object?.status as { conditions?: readonly Condition[] } | undefined)?.conditions ?? [])
    .map(({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`)
    .toSorted()

/** The numbers of a status. */
export const countsOf = (object: ApiObject | undefined): Record<string, number> =>
  Object.fromEntries(
    Object.entries((object?.status ?? {}) as Record<string, unknown>).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number',
    ),
  )
