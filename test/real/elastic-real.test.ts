/**
 * Shares by weights on a real kubelet and this machine's kernel: idle CPU is anybody's, whoever is
 * within its request goes first, ceilings bind, and what the kubelet set comes back. The tests follow
 * on each other.
 */
import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { after, before, describe, test } from 'node:test'

import { settings } from '../../src/apis/names.ts'
import { pods } from '../../src/apis/pod.ts'
import { requestShares } from '../../src/core/cgroup/weight.ts'
import type { Background } from '../background.ts'
import { openRealStage, type RealStage } from '../controller-scenes/real-stage.ts'
import { realCluster, skipUnless } from '../real.ts'
import { until } from '../until.ts'
import { burn, burnOnSignal, idle, type RealPod, restartsOf } from './real-pods.ts'

const config = { startupGracePeriod: '0s', slowLoopInterval: '5s' }
const whole = availableParallelism() * 1000
/** As `allowedIn` reads -1: no quota. */
const none = -0.01
const nodeName = 'node-0'
/** From the annotation to the kernel; told, not held to, on a machine that others use. */
const CEILING_MILLIS = 1000

void describe('weights on a real node', { skip: skipUnless(...realCluster) }, () => {
  let stage: RealStage
  let agent: Background
  const all = new Map<string, RealPod>()
  const pod = (name: string): RealPod => {
    const found = all.get(name)
    assert.ok(found, `no pod ${name}`)
    return found
  }

  const annotate = async (
    { name }: RealPod,
    annotations: Readonly<Record<string, string | null>>,
  ) =>
    void (await stage.kube.patch(
      pods,
      { namespace: 'default', name },
      { type: 'merge', body: { metadata: { annotations } } },
      { keep: {} },
    ))
  const asFound = (pod: RealPod, { shares, quota }: { shares: number; quota: number }): boolean =>
    pod.shares() === shares && pod.allows((allowed) => allowed.quota === quota)

  before(async () => {
    stage = await openRealStage({ nodes: 1 })
    await stage.startController()
    agent = await stage.startAgent({ node: 0, config })
    const started = await stage.startPods(
      { name: 'limited', nodeName, work: burn, request: '50m', limit: '60m' },
      { name: 'service', nodeName, work: burnOnSignal, request: '300m', limit: '400m' },
      { name: 'hog', nodeName, work: burn, request: '100m' },
      { name: 'resting', nodeName, work: idle, request: '200m', limit: '300m' },
    )
    for (const one of started) all.set(one.name, one)
  })
  after(async () => stage?.close())

  void test('a pod with a limit may use idle CPU, and its spec says what its owner wrote', async () => {
    await until('a quota of the whole node', () =>
      pod('limited').allows(({ quota, burst }) => quota === whole && burst === 0),
    )
    const { spec } = await pod('limited').read()
    assert.equal(spec.containers[0]?.resources?.limits?.['cpu'], '60m')
  })

  void test('who is within its request weighs far more than who is not, and so it stays', async () => {
    const weights = () => ({ service: pod('service').shares(), hog: pod('hog').shares() })
    await until(
      'a service ahead',
      () => pod('service').shares() >= 20 * pod('hog').shares(),
      weights,
    )
    pod('service').signal('SIGUSR1') // a whole CPU, of which 300m are its own
    await until(
      'outside the lane',
      () => pod('service').shares() < 20 * pod('hog').shares(),
      weights,
    )
    pod('service').signal('SIGUSR2')
    await until('in it again', () => pod('service').shares() >= 20 * pod('hog').shares(), weights)
  })

  void test('a ceiling that is set on a hungry pod holds in the kernel at once', async () => {
    const took: number[] = []
    for (const most of [300, 200, 400, 250, 150, 350, 220, 320]) {
      const began = performance.now()
      await annotate(pod('hog'), { [settings.maxCpu]: `${most}m` })
      await until(`a quota of ${most}m`, () => pod('hog').allows(({ quota }) => quota === most))
      took.push(performance.now() - began)
    }
    const slowest = Math.round(Math.max(...took))
    const bar = slowest <= CEILING_MILLIS ? 'met' : 'missed'
    console.log(
      `  a ceiling in the kernel: ${took.length} times within ${slowest} ms; bar 1 s: ${bar}`,
    )
    await annotate(pod('hog'), { [settings.maxCpu]: null })
    await until('no quota', () => pod('hog').allows(({ quota }) => quota === none))
  })

  void test("what the kubelet's resize writes is put right", async () => {
    await until('a lowered request', async () => {
      const { status } = await pod('resting').read()
      return status?.containerStatuses?.[0]?.resources?.requests?.['cpu'] === '100m'
    })
    await until('our weight', () => pod('resting').shares() >= 20 * pod('hog').shares())
    await until('our quota', () => pod('resting').allows(({ quota }) => quota === whole))
    assert.equal(restartsOf(await pod('resting').read()), 0)
  })

  void test('who opts out has at once what its kubelet would set', async () => {
    await annotate(pod('limited'), { [settings.managed]: 'false' })
    await until('its own values', () =>
      asFound(pod('limited'), { shares: requestShares(50), quota: 60 }),
    )
  })

  void test('what a killed agent left is taken back by the next one', async () => {
    agent.kill('SIGKILL')
    await agent.ended
    assert.ok(pod('service').allows(({ quota }) => quota === whole))
    await annotate(pod('service'), { [settings.managed]: 'false' })
    agent = await stage.startAgent({ node: 0, config })
    await until('a clearing', () => agent.lines.some(({ msg }) => msg === 'market cleared'))
    // The controller gives it its original request back, whichever comes first.
    await until('its own values', () =>
      asFound(pod('service'), { shares: requestShares(300), quota: 400 }),
    )
  })

  void test('an agent that ends leaves the node as the kubelet set it', async () => {
    assert.equal(await agent.stop(), 0, agent.said())
    const request = async ({ read }: RealPod) =>
      parseInt(
        (await read()).status?.containerStatuses?.[0]?.resources?.requests?.['cpu'] ?? '',
        10,
      )
    for (const [one, quota] of [
      [pod('hog'), none],
      [pod('resting'), 300],
    ] as const) {
      const shares = requestShares(await request(one))
      await until(
        `${one.name} as found`,
        () => asFound(one, { shares, quota }),
        () => one.shares(),
      )
    }
  })
})
