/** What holds at every moment, whatever pods come, go and do. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { limitRanges } from '../../src/apis/limit-range.ts'
import { originalAnnotation, settings } from '../../src/apis/names.ts'
import { type NodeMarket, nodeMarkets } from '../../src/apis/node-market.ts'
import { millicoresIn } from '../../src/apis/pod-allocation.ts'
import { type Pod, pods } from '../../src/apis/pod.ts'
import { parseMillicores } from '../../src/core/quantity.ts'
import { type Random, seededRandom } from '../../src/core/random.ts'
import { parseOriginal } from '../../src/core/resize/original.ts'
import { each } from '../each.ts'
import { lookAt, type PodView } from '../node-view.ts'
import { createPods, loadedPod, onPlatform, type Platform } from '../platform.ts'

const ALLOCATABLE = 4000
const MOST = 3000 // by the LimitRange
const loads = [
  'idle',
  'steady cpu=300m',
  'steady cpu=900m',
  'steady cpu=2 threads=2',
  'bursty low=50m high=900m every=20s for=4s',
  'spiky low=50m high=1 every=15s for=2s',
  'ramp from=100m to=1200m over=1m threads=2',
  'requests rate=40 cpu=10ms spread=exponential threads=4',
  'batch work=20s threads=2',
]

/** Of every kind that the agent treats differently. */
function somePod(name: string, random: Random): Pod {
  const pick = <T>(...of: readonly [T, ...T[]]): T => of[Math.floor(random() * of.length)] ?? of[0]
  const load = pick('idle', ...loads)
  const annotations = {
    ...(random() < 0.3 && { [settings.priorityMultiplier]: pick('0.5', '2', '4') }),
    ...(random() < 0.3 && { [settings.minCpu]: pick('50m', '200m', '300m') }),
    ...(random() < 0.3 && { [settings.maxCpu]: pick('400m', '800m', '1500m') }),
    ...(random() < 0.1 && { [settings.burst]: 'false' }),
    ...(random() < 0.2 && { [settings.coalition]: 'team' }),
    ...(random() < 0.7 && { [settings.guaranteed]: 'manage' }),
  }
  const kind = random()
  const request = pick('50m', '100m', '200m')
  const limit = kind < 0.1 ? '' : pick('300m', '500m', '1', '2')
  const isGuaranteed = kind > 0.85
  const size = isGuaranteed
    ? { request: '400m', limit: '400m', memory: '64Mi' }
    : { request, limit }
  const pod = loadedPod(name, { load, annotations, ...size })
  return {
    ...pod,
    spec: { ...pod.spec, restartPolicy: load.startsWith('batch') ? 'Never' : 'Always' },
  }
}

const boundOf = ({ pod }: PodView, name: string): number | undefined => {
  const text = pod.metadata.annotations?.[name]
  return text === undefined ? undefined : parseMillicores(text)
}

/** A floor counts up to what was requested: as noted before the first resize, or as it is. */
function floorOf(view: PodView): number {
  const note = view.pod.metadata.annotations?.[originalAnnotation]
  const requested = note === undefined ? view.request : parseOriginal(note)[0]?.request
  const most = boundOf(view, settings.maxCpu) ?? 100
  return Math.min(requested ?? 0, boundOf(view, settings.minCpu) ?? Math.min(100, most))
}

const ceilingOf = (view: PodView): number =>
  Math.max(floorOf(view), Math.min(MOST, boundOf(view, settings.maxCpu) ?? MOST))

const isDone = ({ pod }: PodView): boolean =>
  pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'

/** The kubelet has set what was told. */
const isActuated = ({ desired, containers }: PodView): boolean =>
  containers.reduce((all, { actuated = 0 }) => all + actuated, 0) === desired?.limit

function checkPod(view: PodView, at: string): void {
  const { pod, request, limit, desired, quota, burst, restarts, isRunning } = view
  const say = `${at} ${pod.metadata.name}: ${JSON.stringify({ request, limit, desired, quota, burst })}`
  assert.equal(limit === request, pod.status?.qosClass === 'Guaranteed', `${say}: QoS class`)
  assert.equal(restarts, 0, `${say}: restarted`)
  if (!isRunning || desired?.limit === undefined || quota === undefined) return
  assert.ok(desired.limit >= floorOf(view) && desired.limit <= ceilingOf(view), `${say}: bounds`)
  assert.ok(burst <= quota, `${say}: burst`)
  if (!isActuated(view)) return
  assert.ok(quota >= desired.limit, `${say}: the kernel has less than was told`)
  assert.ok(quota <= ceilingOf(view), `${say}: above its ceiling`)
}

type Held = ReadonlyMap<string, number>

/** Of those that were told, and have it: the larger of what was told and what the kernel has. */
function heldIn(views: ReadonlyMap<string, PodView>, settled: Set<string>): Held {
  const held = new Map<string, number>()
  for (const [name, view] of views) {
    const { desired, quota, isRunning } = view
    if (!isRunning || desired?.limit === undefined || quota === undefined) continue
    if (isActuated(view)) settled.add(name)
    if (settled.has(name)) held.set(name, Math.max(desired.limit, quota))
  }
  return held
}

const toldIn = (views: ReadonlyMap<string, PodView>): number =>
  [...views.values()]
    .filter(({ isRunning }) => isRunning)
    .reduce((all, { desired }) => all + (desired?.limit ?? 0), 0)

const capacityIn = ({ cluster }: Platform): number | undefined => {
  const market = cluster.api.find(nodeMarkets, { name: 'node-0' }) as NodeMarket | undefined
  const [resource] = market?.status?.resources ?? []
  return resource && millicoresIn(resource.capacity)
}

/** Adds over those that were there before, so that who comes does not count as growth. */
const totalOf = (held: Held, among: Held): number =>
  [...held].reduce((all, [name, amount]) => (among.has(name) ? all + amount : all), 0)

void describe('at every quarter of a second', () => {
  const ARRIVALS_SECONDS = 45
  const CALM_SECONDS = 150
  /** After a change the next may wait so long, and less than 2 % is none. */
  const DWELL_SECONDS = 60

  const play = async (platform: Platform, random: Random): Promise<void> => {
    const { kube, pass, cluster } = platform
    const alive: string[] = []
    let count = 0
    const add = async () => {
      const name = `pod-${(count += 1)}`
      alive.push(name)
      await createPods(kube, [somePod(name, random)])
    }
    const settled = new Set<string>()
    let before: Held = new Map()
    let sold = 0
    let least = Infinity
    for (let i = 0; i < 5; i++) await add()
    for (let tick = 0; tick < 4 * (ARRIVALS_SECONDS + CALM_SECONDS); tick++) {
      await pass(0.25)
      const at = `after ${tick / 4} s`
      const isBusy = tick < 4 * ARRIVALS_SECONDS
      if (isBusy && random() < 0.03 && alive.length < 12) await add()
      if (isBusy && random() < 0.02 && alive.length > 2) {
        const [name = ''] = alive.splice(Math.floor(random() * alive.length), 1)
        await kube.remove(pods, { namespace: 'default', name })
      }
      const views = lookAt(cluster)
      for (const view of views.values()) checkPod(view, at)
      const requests = [...views.values()].filter((view) => !isDone(view)).map((one) => one.request)
      const promised = requests.reduce((all, request) => all + request, 0)
      assert.ok(promised <= ALLOCATABLE, `${at}: ${promised}m promised`)
      const held = heldIn(views, settled)
      const capacity = capacityIn(platform) ?? 0
      const most = Math.max(capacity, sold) // it may have changed since
      const [then, now] = [totalOf(before, held), totalOf(held, before)]
      assert.ok(now <= Math.max(then, most), `${at}: from ${then}m to ${now}m of ${capacity}m`)
      before = held
      sold = capacity
      if (tick > 4 * (ARRIVALS_SECONDS + CALM_SECONDS - DWELL_SECONDS)) {
        least = Math.min(least, toldIn(views) / capacity)
      }
    }
    assert.ok(settled.size > 0, 'nobody took part')
    assert.ok(least <= 1.02, `in the end ${least} of what there is was told`)
  }

  void test('nobody is promised what is not there, however full the node is', async () => {
    await onPlatform({ cpus: 4 }, async ({ kube, pass, cluster, see }) => {
      const hog = { load: 'steady cpu=1600m threads=2', limit: '1800m' }
      await createPods(kube, [loadedPod('a', hog), loadedPod('b', hog)])
      await pass(20)
      await createPods(kube, [loadedPod('c', { load: 'steady cpu=2 threads=2', limit: '700m' })])
      for (let tick = 0; tick < 40; tick++) {
        await pass(0.25)
        const views = [...lookAt(cluster).values()]
        const promised = views.reduce((all, { request }) => all + request, 0)
        assert.ok(promised <= ALLOCATABLE, `${promised}m promised`)
      }
      assert.ok(see('c').desired !== undefined)
    })
  })

  each(
    [
      { name: 'capacity, bounds and classes hold', seed: 1 },
      { name: 'with other pods too', seed: 2 },
      { name: 'and where the kernel is read-only', seed: 3, writesKernel: false },
    ],
    async ({ seed, writesKernel = true }) => {
      await onPlatform({ cpus: 4, seed, writesKernel }, async (platform) => {
        await platform.kube.create(limitRanges, {
          apiVersion: 'v1',
          kind: 'LimitRange',
          metadata: { name: 'bounds', namespace: 'default' },
          spec: { limits: [{ type: 'Container', max: { cpu: '3' }, min: { cpu: '20m' } }] },
        })
        await play(platform, seededRandom(seed))
      })
    },
  )
})
