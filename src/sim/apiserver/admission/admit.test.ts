import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../test/each.ts'
import { seededRandom } from '../../../core/random.ts'
import { createAgenda } from '../../create-agenda.ts'
import { namespaces, nodes, pods, priorityClasses, resourceQuotas } from '../../resources.ts'
import { builtInTypes } from '../kinds/built-in-types.ts'
import type { ApiObject } from '../object.ts'
import { createApiServer } from '../server.ts'
import { examine, mutate } from './admit.ts'
import { quotaUsage } from './quota-usage.ts'

const now = Date.parse('2026-01-01T00:00:00Z')
const by = { manager: 'test' }
const refs = {
  namespaces,
  nodes,
  pods,
  secrets: { group: '', plural: 'secrets' },
  quotas: resourceQuotas,
  classes: priorityClasses,
}

function newApi() {
  const agenda = createAgenda({ speed: 'max', startsAt: now })
  const options = { agenda, random: seededRandom(1), types: builtInTypes(), admit: mutate, examine }
  const { api } = createApiServer(options)
  for (const name of ['default', 'a']) api.create(refs.namespaces, { metadata: { name } }, by)
  return api
}
type Api = ReturnType<typeof newApi>

const pod = (spec: object = {}, name = 'p') => ({
  metadata: { name, namespace: 'a' },
  spec: { containers: [{ name: 'main', image: 'x' }], ...spec },
})

const asking = (requests: object, limits?: object) => ({
  containers: [{ name: 'main', image: 'x', resources: { requests, limits } }],
})

const secret = (namespace: string) => ({ metadata: { name: 's', namespace } })

function createNode(api: Api, node: { labels?: Record<string, string>; allocatable: object }) {
  const { labels = {}, allocatable } = node
  const made = api.create(refs.nodes, { metadata: { name: 'n', labels } }, by)
  const status = { ...(made.status as object), allocatable }
  api.update(refs.nodes, { ...made, status }, { ...by, subresource: 'status' })
}

function resize(api: Api, requests: object): ApiObject {
  const old = api.create(
    refs.pods,
    pod({ nodeName: 'n', ...asking({ cpu: '1', memory: '1Gi' }) }),
    by,
  )
  const next = { ...old, spec: { ...(old.spec as object), ...asking(requests) } }
  return api.update(refs.pods, next, { ...by, subresource: 'resize' })
}

void describe('sim/apiserver/admission', () => {
  each<{ name: string; act: (api: Api) => unknown; code: number; says: string }>(
    [
      {
        name: 'nothing is made in a namespace that is not there',
        act: (api) => api.create(refs.secrets, secret('none'), by),
        code: 404,
        says: 'namespaces "none" not found',
      },
      {
        name: 'nothing is made in a namespace that is going',
        act: (api) => {
          api.remove(refs.namespaces, { name: 'a' })
          return api.create(refs.secrets, secret('a'), by)
        },
        code: 403,
        says: 'secrets "s" is forbidden: unable to create new content in namespace a because it is being terminated',
      },
      {
        name: 'the default namespace never goes',
        act: (api) => api.remove(refs.namespaces, { name: 'default' }),
        code: 403,
        says: 'namespaces "default" is forbidden: this namespace may not be deleted',
      },
      {
        name: 'only one priority class is for all',
        act: (api) => {
          api.create(refs.classes, { metadata: { name: 'one' }, value: 1, globalDefault: true }, by)
          const other = { metadata: { name: 'two' }, value: 2, globalDefault: true }
          return api.create(refs.classes, other, by)
        },
        code: 403,
        says: 'priorityclasses.scheduling.k8s.io "two" is forbidden: PriorityClass one is already marked as default. Only one default can exist',
      },
      {
        name: 'a resize beyond the node is refused',
        act: (api) => {
          createNode(api, { allocatable: { cpu: '2', memory: '2Gi' } })
          return resize(api, { cpu: '2500m', memory: '3Gi' })
        },
        code: 403,
        says: `pods "p" is forbidden: node didn't have enough allocatable resources: cpu, requested: 2500, allocatable: 2000; memory, requested: 3221225472, allocatable: 2147483648`,
      },
      {
        name: 'a resize on another system is refused',
        act: (api) => {
          createNode(api, { labels: { 'kubernetes.io/os': 'windows' }, allocatable: { cpu: '2' } })
          return resize(api, { cpu: '2', memory: '1Gi' })
        },
        code: 403,
        says: 'pods "p" is forbidden: pod resize is only supported on linux nodes, node "n" is "windows"',
      },
      {
        name: 'a resize on a node that is gone is refused',
        act: (api) => resize(api, { cpu: '2', memory: '1Gi' }),
        code: 403,
        says: 'pods "p" is forbidden: node "n" not found',
      },
      {
        name: 'a resize counts towards quotas by what comes on top',
        act: (api) => {
          createNode(api, { allocatable: { cpu: '8', memory: '8Gi' } })
          const hard = { 'requests.cpu': '1500m' }
          api.create(refs.quotas, { metadata: { name: 'q', namespace: 'a' }, spec: { hard } }, by)
          return resize(api, { cpu: '2', memory: '1Gi' })
        },
        code: 403,
        says: 'pods "p" is forbidden: exceeded quota: q, requested: requests.cpu=1, used: requests.cpu=1, limited: requests.cpu=1500m',
      },
    ],
    ({ act, code, says }) => {
      assert.throws(() => act(newApi()), { name: 'Refusal', code, message: says })
    },
  )

  void test('pods that name no class have the class for all', () => {
    const api = newApi()
    const given = {
      metadata: { name: 'one' },
      value: 5,
      globalDefault: true,
      preemptionPolicy: 'Never',
    }
    api.create(refs.classes, given, by)
    const { priority, priorityClassName, preemptionPolicy } = api.create(refs.pods, pod(), by)
      .spec as Record<string, unknown>
    assert.deepEqual([priority, priorityClassName, preemptionPolicy], [5, 'one', 'Never'])
  })

  void test('usage is that of pods that have not ended, and of all objects that are counted', () => {
    const api = newApi()
    const spec = { hard: { pods: '5', 'count/pods': '5', 'requests.memory': '1Gi', secrets: '3' } }
    const quota = api.create(refs.quotas, { metadata: { name: 'q', namespace: 'a' }, spec }, by)
    api.create(refs.secrets, secret('a'), by)
    for (const name of ['one', 'two', 'done'])
      api.create(refs.pods, pod(asking({ memory: '100Mi' }), name), by)
    const done = api.find(refs.pods, { namespace: 'a', name: 'done' })
    assert.ok(done)
    const status = { ...(done.status as object), phase: 'Succeeded' }
    api.update(refs.pods, { ...done, status }, { ...by, subresource: 'status' })
    assert.deepEqual(quotaUsage(quota, { now, find: api.find, all: api.list }), {
      hard: spec.hard,
      used: { pods: '2', 'count/pods': '3', 'requests.memory': '200Mi', secrets: '1' },
    })
  })
})
