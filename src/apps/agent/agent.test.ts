import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { manualClock } from '../../../test/manual-clock.ts'
import { memoryKube } from '../../../test/memory-kube.ts'
import { overrideAnnotation, settings } from '../../apis/names.ts'
import { type Node, nodes } from '../../apis/node.ts'
import type { KubeObject, Resource } from '../../apis/object.ts'
import { podAllocations, type PodAllocation } from '../../apis/pod-allocation.ts'
import { type Pod, pods } from '../../apis/pod.ts'
import { seededRandom } from '../../core/random.ts'
import type { CgroupReader } from '../../ports/cgroup.ts'
import type { Clock } from '../../ports/clock.ts'
import { ApiError, type Kube, missingTypeWords } from '../../ports/kube.ts'
import { registry } from '../../runtime/metrics.ts'
import { startAgent } from './run.ts'

/** What a container would use, and what it is allowed, in cores. */
type Load = { wants: number; limit: number }

/** A kernel in which containers want a steady share of the CPUs and wait when it is not allowed. */
function steadyKernel(clock: Clock, loads: Readonly<Record<string, Load>>) {
  const forgotten: string[] = []
  const cgroups: CgroupReader = {
    where: 'a test',
    read: ({ containerId }) => {
      const load = loads[containerId]
      if (load === undefined) return undefined
      const seconds = clock.now() / 1000
      const used = Math.min(load.wants, load.limit)
      return {
        atMicros: clock.now() * 1000,
        usageMicros: Math.round(used * seconds * 1e6),
        periods: Math.floor(seconds * 10),
        throttledPeriods: used < load.wants ? Math.floor(seconds * 10) : 0,
        throttledMicros: Math.round((load.wants - used) * seconds * 1e6),
        quotaMicros: load.limit * 100_000,
        periodMicros: 100_000,
        weight: 1024,
      }
    },
    forget: ({ containerId }) => forgotten.push(containerId),
    close: () => undefined,
  }
  return { cgroups, forgotten }
}

/** The memory API with server-side apply of whole objects, and one node, so that selections are moot. */
function nodeKube() {
  const kube = memoryKube()
  const failing = { writes: false }
  const requests: string[] = []
  const agents: Kube = {
    ...kube,
    list: async (of, { limit } = {}) => kube.list(of, limit === undefined ? {} : { limit }),
    watch: (of, { resourceVersion }, options) =>
      kube.watch(of, resourceVersion === undefined ? {} : { resourceVersion }, options),
    patch: async <T extends KubeObject>(...[of, at, patch]: Parameters<Kube['patch']>) => {
      assert.equal(patch.type, 'apply')
      requests.push(`apply ${of.plural} ${at.namespace}/${at.name}`)
      const said = { code: 500, reason: 'InternalError', said: 'a test' }
      if (failing.writes) throw new ApiError('patch', said)
      const resource = of as Resource<T>
      const body = patch.body as T
      const isThere = (await kube.list(resource)).items.some((o) => o.metadata.name === at.name)
      if (!isThere) return kube.create(resource, body)
      return kube.patch(resource, at, { type: 'merge', body })
    },
  }
  return { kube, agents, failing, requests }
}

const node = (allocatable: Record<string, string> = { cpu: '2' }): Node => ({
  metadata: { name: 'n1' },
  status: { allocatable, capacity: { cpu: '2' } },
})

const pod = (name: string, metadata: KubeObject['metadata'] = {}): Pod => ({
  metadata: { name, namespace: 'default', ...metadata },
  spec: {
    nodeName: 'n1',
    containers: [
      { name: 'app', resources: { requests: { cpu: '100m' }, limits: { cpu: '500m' } } },
    ],
  },
})

const running = (name: string): Pod['status'] => ({
  phase: 'Running',
  qosClass: 'Burstable',
  containerStatuses: [
    { name: 'app', restartCount: 0, containerID: `containerd://${name}`, state: { running: {} } },
  ],
})

type Scene = { loads: Record<string, Load>; pods: readonly Pod[] }

async function scene({ loads, pods: given }: Scene) {
  const api = nodeKube()
  await api.kube.create(nodes, node())
  await api.kube.update(nodes, node(), { subresource: 'status' })
  for (const one of given) {
    await api.kube.create(pods, one)
    const status = running(one.metadata.name ?? '')
    if (status !== undefined) {
      await api.kube.update(pods, { ...one, status }, { subresource: 'status' })
    }
  }
  const clock = manualClock()
  const stop = new AbortController()
  const lines: string[] = []
  const metrics = registry()
  const { cgroups, forgotten } = steadyKernel(clock, loads)
  const ports = { kube: api.agents, cgroups, clock, random: seededRandom(1), registry: metrics }
  const log = (level: string, message: string, fields: object = {}) =>
    lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  const options = { nodeName: 'n1', sampling: 1000, clearing: 15_000 }
  const agent = await startAgent({ ...ports, log }, options, stop.signal)
  const specs = async () => {
    const { items } = await api.kube.list(podAllocations)
    return Object.fromEntries(
      items.map(({ metadata, spec }) => [metadata.name ?? '', spec] as const),
    )
  }
  return { ...api, clock, agent, stop, lines, metrics, forgotten, specs }
}

const cpus = (spec: PodAllocation['spec'] | undefined) => [
  spec?.desiredCPURequest,
  spec?.desiredCPULimit,
]

void describe('the agent', () => {
  const busyAndIdle = (): Scene => ({
    loads: {
      'containerd://busy': { wants: 2, limit: 1 },
      'containerd://idle': { wants: 0.01, limit: 0.5 },
    },
    pods: [pod('busy'), pod('idle')],
  })

  void test('raises a throttled pod and lowers an idle one, with owner and reason', async () => {
    const { clock, agent, stop, kube, specs, metrics, lines } = await scene(busyAndIdle())
    await clock.advance(16_000)
    assert.deepEqual([agent.live(), agent.ready()], [{ ok: true }, { ok: true }])
    const { busy, idle } = await specs()
    // 1800m are sold; the busy one could use twice its limit and gets all above the idle one's floor.
    assert.deepEqual(cpus(busy), ['1615m', '1700m'])
    assert.deepEqual(cpus(idle), ['95m', '100m'])
    assert.match(busy?.decision?.reason ?? '', /^gets 1700m of its ceiling of 1800m/)
    const place = { namespace: 'default', name: 'busy' }
    const { metadata } = await kube.get(podAllocations, place)
    const owner = (await kube.get(pods, place)).metadata
    assert.deepEqual(metadata.ownerReferences, [
      { apiVersion: 'v1', kind: 'Pod', name: 'busy', uid: owner.uid, controller: true },
    ])
    assert.equal(busy?.podUID, owner.uid)
    assert.equal(busy?.nodeName, 'n1')
    assert.match(metrics.render(), /mbcas_allocation_milli\{namespace="default",pod="busy"\} 1700/)
    assert.match(metrics.render(), /mbcas_allocation_mode\{node="n1"\} 1/)
    assert.ok(lines.some((line) => line.startsWith('info market cleared {"node":"n1","mode":"con')))
    stop.abort()
    await agent.stopped
  })

  void test('writes a steady load once', async () => {
    const { clock, agent, stop, requests } = await scene(busyAndIdle())
    await clock.advance(120_000)
    assert.equal(requests.length, 2, requests.join('\n'))
    stop.abort()
    await agent.stopped
    await clock.advance(60_000)
    assert.equal(requests.length, 2)
  })

  void test('writes what failed as soon as the API answers again', async () => {
    const { clock, agent, stop, failing, specs, lines } = await scene(busyAndIdle())
    failing.writes = true
    await clock.advance(31_000)
    assert.deepEqual(await specs(), {})
    assert.ok(lines.some((line) => line.startsWith('error publishing allocation')))
    assert.deepEqual([agent.live(), agent.ready()], [{ ok: true }, { ok: true }])
    failing.writes = false
    await clock.advance(15_000)
    assert.deepEqual(Object.keys(await specs()), ['busy', 'idle'])
    stop.abort()
    await agent.stopped
  })

  void test('leaves alone what opted out, and says why once', async () => {
    const { loads } = busyAndIdle()
    const out = pod('idle', { annotations: { [settings.managed]: 'false' } })
    const { clock, agent, stop, specs, lines } = await scene({ loads, pods: [pod('busy'), out] })
    await clock.advance(60_000)
    assert.deepEqual(Object.keys(await specs()), ['busy'])
    const told = lines.filter((line) => line.startsWith('info pod left alone'))
    assert.deepEqual(told, [
      'info pod left alone {"pod":"default/idle","reason":"opted out by mbcas.io/managed"}',
    ])
    stop.abort()
    await agent.stopped
  })

  void test('leaves an allocation alone that a person owns', async () => {
    const { clock, agent, stop, kube, specs } = await scene(busyAndIdle())
    await kube.create(podAllocations, {
      metadata: {
        name: 'busy',
        namespace: 'default',
        annotations: { [overrideAnnotation]: 'true' },
      },
      spec: { podName: 'busy', desiredCPULimit: '300m', urgency: 'normal' },
    })
    await clock.advance(31_000)
    const { busy, idle } = await specs()
    assert.deepEqual(cpus(busy), [undefined, '300m'])
    assert.deepEqual(cpus(idle), ['95m', '100m'])
    stop.abort()
    await agent.stopped
  })

  void test('forgets a pod that is gone, and shares its part anew', async () => {
    const { clock, agent, stop, kube, forgotten, metrics, specs } = await scene(busyAndIdle())
    await clock.advance(16_000)
    await kube.remove(pods, { namespace: 'default', name: 'idle' })
    await clock.advance(15_000)
    assert.deepEqual(forgotten, ['containerd://idle'])
    assert.doesNotMatch(metrics.render(), /pod="idle"/)
    assert.deepEqual(cpus((await specs())['busy']), ['1350m', '1800m'])
    stop.abort()
    await agent.stopped
  })

  void test('warns when no container has a cgroup where it looks', async () => {
    const { clock, agent, stop, lines } = await scene({ ...busyAndIdle(), loads: {} })
    await clock.advance(31_000)
    const told = lines.filter((line) => line.includes('--cgroup-root'))
    assert.equal(told.length, 1)
    assert.match(told[0] ?? '', /^warn no cgroup found for any container .*"where":"a test"/)
    stop.abort()
    await agent.stopped
  })
})

void describe('the agent refuses to start', () => {
  const start = async (kube: Kube) => {
    const clock = manualClock()
    const { cgroups } = steadyKernel(clock, {})
    const ports = { kube, cgroups, clock, random: seededRandom(1), log: () => undefined }
    const options = { nodeName: 'n1', sampling: 1000, clearing: 15_000 }
    const stop = new AbortController()
    return startAgent({ ...ports, registry: registry() }, options, stop.signal)
  }

  void test('on a node that is not there', async () => {
    await assert.rejects(start(memoryKube()), {
      name: 'InvalidInput',
      message: /^finding node n1: there is none; give --node/,
    })
  })

  void test('on a node that does not say what it has', async () => {
    const kube = memoryKube()
    await kube.create(nodes, node())
    await assert.rejects(start(kube), {
      message: /^reading node n1: expected status.allocatable.cpu, got nothing/,
    })
  })

  void test('without the resource type', async () => {
    const { kube, agents } = nodeKube()
    await kube.create(nodes, node())
    await kube.update(nodes, node(), { subresource: 'status' })
    const missing = { code: 404, reason: 'NotFound', said: missingTypeWords }
    const list = async () => Promise.reject(new ApiError('list podallocations', missing))
    await assert.rejects(start({ ...agents, list }), /could not find the requested resource/)
  })
})
