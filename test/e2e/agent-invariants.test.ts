/** What holds at every moment, whatever pods come, go and do. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { limitRanges } from '../../src/apis/limit-range.ts'
import { settings } from '../../src/apis/names.ts'
import { type Pod, pods } from '../../src/apis/pod.ts'
import { parseMillicores } from '../../src/core/quantity.ts'
import { type Random, seededRandom } from '../../src/core/random.ts'
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

const ceilingOf = (view: PodView): number => Math.min(MOST, boundOf(view, settings.maxCpu) ?? MOST)

const isDone = ({ pod }: PodView): boolean =>
  pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'

function checkPod(view: PodView, at: string, isEnforced: boolean): void {
  const { pod, request, limit, desired, quota, burst, restarts, isRunning } = view
  const say = `${at} ${pod.metadata.name}: ${JSON.stringify({ request, limit, desired, quota, burst })}`
  const isGuaranteed = pod.status?.qosClass === 'Guaranteed'
  assert.equal(limit === request, isGuaranteed, `${say}: QoS class`)
  assert.equal(restarts, 0, `${say}: restarted`)
  if (!isRunning || desired?.limit === undefined || quota === undefined) return
  assert.ok(burst <= quota, `${say}: burst`)
  if (isGuaranteed || !isEnforced) return
  assert.equal(burst, 0, `${say}: burst where a quota is no share`)
  assert.ok(quota <= ceilingOf(view), `${say}: the kernel has more than its ceiling`)
}

type Had = {
  readonly usedSeconds: number
  readonly waitedMicros: number
  readonly entitled: number
}

/** Of those that take part, by name. */
function hadIn(
  { cluster, agent }: Platform,
  views: ReadonlyMap<string, PodView>,
): Map<string, Had> {
  const found = agent.view().pods.flatMap(({ name, uid, bid, state }): [string, Had][] => {
    const view = views.get(name)
    const waitedMicros = cluster.kernels.get('node-0')?.waitedMicros(uid)
    if (view?.isRunning !== true || bid === undefined || waitedMicros === undefined) return []
    const entitled = Math.min(bid.entitled, ceilingOf(view))
    return state === 'throttled'
      ? []
      : [[name, { usedSeconds: view.usedSeconds, waitedMicros, entitled }]]
  })
  return new Map(found)
}

const WINDOW_SECONDS = 10

/** Over any ten seconds whoever wanted what it is entitled to has had it. */
function checkEntitlements(before: Map<string, Had>, now: Map<string, Had>, at: string): void {
  for (const [name, { usedSeconds, waitedMicros, entitled }] of now) {
    const was = before.get(name)
    if (was === undefined) continue
    const used = (usedSeconds - was.usedSeconds) / WINDOW_SECONDS
    const waited = (waitedMicros - was.waitedMicros) / 1e6 / WINDOW_SECONDS
    const own = Math.min(entitled, was.entitled) / 1000
    const isShort = used < 0.9 * own && waited > 0.1 * own
    assert.ok(!isShort, `${at} ${name}: ${used} of its ${own} CPUs, and waited for ${waited}`)
  }
}

void describe('at every quarter of a second', () => {
  const ARRIVALS_SECONDS = 45
  const CALM_SECONDS = 60

  const play = async (platform: Platform, random: Random, writesKernel: boolean): Promise<void> => {
    const { kube, pass, cluster } = platform
    const alive: string[] = []
    let count = 0
    const add = async () => {
      const name = `pod-${(count += 1)}`
      alive.push(name)
      await createPods(kube, [somePod(name, random)])
    }
    const settled = new Set<string>()
    const windows: Map<string, Had>[] = []
    /** Since when it has been in the market, with this spec. */
    const known = new Map<string, { spec: string; tick: number }>()
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
      const now = writesKernel ? hadIn(platform, views) : new Map<string, Had>()
      for (const [name, view] of views) {
        const { request, limit } = view
        if (known.get(name)?.spec !== `${request} ${limit}` || !now.has(name)) {
          known.set(name, { spec: `${request} ${limit}`, tick })
        }
        // An idle one is looked at every two seconds, and one that was resized at the next sample.
        checkPod(view, at, tick - (known.get(name)?.tick ?? tick) > 4 * 2.5)
      }
      const requests = [...views.values()].filter((view) => !isDone(view)).map((one) => one.request)
      const promised = requests.reduce((all, request) => all + request, 0)
      assert.ok(promised <= ALLOCATABLE, `${at}: ${promised}m promised`)
      for (const [name, { desired }] of views) if (desired !== undefined) settled.add(name)
      if (!writesKernel) continue
      windows.push(now)
      const before = windows.at(-1 - 4 * WINDOW_SECONDS)
      if (before !== undefined) checkEntitlements(before, now, at)
    }
    assert.ok(settled.size > 0, 'nobody took part')
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
      { name: 'bounds, classes and entitlements hold', seed: 1 },
      { name: 'with other pods too', seed: 2 },
      { name: 'and with others', seed: 4 },
      {
        name: 'bounds and classes also where the kernel is read-only',
        seed: 3,
        writesKernel: false,
      },
    ],
    async ({ seed, writesKernel = true }) => {
      await onPlatform({ cpus: 4, seed, writesKernel }, async (platform) => {
        await platform.kube.create(limitRanges, {
          apiVersion: 'v1',
          kind: 'LimitRange',
          metadata: { name: 'bounds', namespace: 'default' },
          spec: { limits: [{ type: 'Container', max: { cpu: '3' }, min: { cpu: '20m' } }] },
        })
        await play(platform, seededRandom(seed), writesKernel)
      })
    },
  )
})
