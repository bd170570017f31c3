/**
 * Agents and a controller at work while their requests go wrong in every way that the embedded
 * cluster knows: no node is ever promised twice, nothing restarts, and afterwards nobody is stuck.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { type Fault, type FaultKind, faultKinds } from '../../src/apis/fault-file.ts'
import { type PodAllocation, podAllocations } from '../../src/apis/pod-allocation.ts'
import { type Pod, pods } from '../../src/apis/pod.ts'
import type { ResizeReason } from '../../src/core/resize/types.ts'
import { faultsThatCame, plantedFaults } from '../chaos/embedded.ts'
import { overcommitted } from '../controller-scenes/node-charge.ts'
import { waitFor } from '../controller-scenes/wait.ts'
import { each } from '../each.ts'
import { createPods, loadedPod } from '../platform.ts'
import { onSite, type Site, startAgentOn, startController } from '../site.ts'

const clients = ['agent', 'controller']
const usual = { delayMillis: 3000, retryAfterSeconds: 2, events: 4 }

const faultsOf = (kinds: readonly FaultKind[], share: number): readonly Fault[] =>
  plantedFaults(
    clients.flatMap((userAgent) =>
      kinds.map((kind) => Object.assign({ userAgent, kind, share }, usual)),
    ),
  )

/** No watch lasts, so that there are always new ones that can go wrong. */
const restless = plantedFaults(
  clients.map((userAgent) => ({ kind: 'drop-watch', userAgent, events: 8 })),
)

/** What stays until something else changes; every other reason is on its way. */
const standing: readonly ResizeReason[] = ['NodeHeadroom', 'Deferred']

const hasSettled = ({ metadata, status }: PodAllocation): boolean =>
  status?.observedGeneration === metadata.generation &&
  (status?.phase === 'Applied' || standing.some((reason) => reason === status?.reason))

const loads = [
  'steady cpu=700m',
  'bursty low=50m high=1500m every=20s for=6s threads=2',
  'idle',
  'ramp from=100m to=1200m over=90s threads=2',
  'spiky low=50m high=1 every=15s for=2s',
  'steady cpu=2 threads=2',
]
const somePods = (start: string, count: number): Pod[] =>
  Array.from({ length: count }, (_, i) =>
    loadedPod(`${start}-${i}`, { load: loads[i % loads.length] ?? 'idle', request: '150m' }),
  )

const podsIn = ({ cluster }: Site): readonly Pod[] =>
  cluster.api.list(pods) as unknown as readonly Pod[]

function check(site: Site, when: string): void {
  assert.deepEqual(overcommitted(site.cluster), [], when)
  for (const { metadata, status } of podsIn(site)) {
    const restarts = status?.containerStatuses?.map(({ restartCount }) => restartCount) ?? []
    assert.ok(
      restarts.every((count) => count === 0),
      `${when}: ${metadata.name} restarted`,
    )
    assert.ok(status?.qosClass === 'Burstable', `${when}: ${metadata.name} is ${status?.qosClass}`)
  }
}

async function watchOver(site: Site, seconds: number, when: string): Promise<void> {
  for (let waited = 0; waited < seconds; waited += 0.5) {
    await site.pass(0.5)
    check(site, `${when}, after ${waited} s`)
  }
}

/** Each of them once: load goes on, so that all at one moment need not be. */
async function untilAllSettled(site: Site, seconds: number): Promise<void> {
  const { cluster } = site
  const found = () => cluster.api.list(podAllocations) as unknown as readonly PodAllocation[]
  const open = new Set(found().map(({ metadata }) => metadata.name ?? ''))
  assert.ok(open.size > 5, `${open.size} allocations`)
  await waitFor(site, 'all to settle', {
    seconds,
    everySeconds: 2,
    holds: () => {
      check(site, 'afterwards')
      for (const one of found()) if (hasSettled(one)) open.delete(one.metadata.name ?? '')
      return open.size === 0
    },
    tell: () =>
      found()
        .filter(({ metadata }) => open.has(metadata.name ?? ''))
        .map(({ metadata, status }) => `${metadata.name} ${JSON.stringify(status)}`)
        .join('\n'),
  })
}

void describe('agents and a controller whose requests go wrong', () => {
  const rows: readonly { name: string; kinds: readonly FaultKind[]; share: number }[] = [
    ...faultKinds.map((kind) => ({ name: kind, kinds: [kind], share: 0.25 })),
    { name: 'everything at once', kinds: faultKinds.toReversed(), share: 0.12 },
  ]
  each(rows, async ({ kinds, share }) => {
    await onSite({ cpus: 4, nodes: 2 }, async (site) => {
      const { cluster, kube } = site
      cluster.plant(restless)
      const agents = await Promise.all(
        ['node-0', 'node-1'].map(async (nodeName) => startAgentOn(site, { nodeName })),
      )
      const controller = startController(site)
      await createPods(kube, somePods('first', 12))
      await watchOver(site, 20, 'at first')
      cluster.plant([...faultsOf(kinds, share), ...restless])
      await createPods(kube, somePods('late', 6))
      await watchOver(site, 30, 'meanwhile')
      for (const name of ['first-0', 'first-5', 'late-1'])
        await kube.remove(pods, { namespace: 'default', name })
      await watchOver(site, 30, 'meanwhile')
      const came = faultsThatCame(cluster)
      const met = kinds.filter((kind) => (came[kind] ?? 0) > 0)
      assert.ok(met.length >= Math.min(kinds.length, 6), `of faults came ${met.join(', ')}`)
      cluster.plant([])
      // A watch that fell silent is given up after minutes.
      await untilAllSettled(site, kinds.includes('stall-watch') ? 360 : 60)
      await Promise.all([controller.stop(), ...agents.map(async ({ stop }) => stop())])
    })
  })

  void test('a cache that stands still does not make it ask without end', async () => {
    await onSite({ cpus: 4 }, async (site) => {
      const { cluster, kube, pass } = site
      cluster.plant(
        plantedFaults([
          { kind: 'stall-watch', userAgent: 'controller', resources: ['pods'], events: 40 },
        ]),
      )
      const agent = await startAgentOn(site)
      const controller = startController(site)
      await createPods(kube, somePods('pod', 9))
      await pass(200)
      const page = controller.metrics.render()
      const conflicts = Number(/^mbcas_resize_total\{result="conflict"\} (\d+)$/m.exec(page)?.[1])
      assert.ok(conflicts > 0, 'it knew better')
      assert.ok(conflicts < 9 * 30, `${conflicts} conflicts with 9 pods in 200 s`)
      await Promise.all([controller.stop(), agent.stop()])
    })
  })
})
