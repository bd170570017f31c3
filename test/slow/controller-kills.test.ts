/**
 * A controller is killed before and after every request of a whole life, and the next one goes on: it
 * ends where it should, takes no step twice, and restarts nothing.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { originalAnnotation } from '../../src/apis/names.ts'
import { type PodAllocation, podAllocations } from '../../src/apis/pod-allocation.ts'
import { type Pod, pods } from '../../src/apis/pod.ts'
import { amountsOf, doubleSteps, followResizes, type Resize } from '../controller-scenes/follow.ts'
import { type Death, mortalWay } from '../controller-scenes/mortal.ts'
import { waitFor } from '../controller-scenes/wait.ts'
import { loadedPod } from '../platform.ts'
import { onSite, type RunningController, type Site, startController } from '../site.ts'

const place = { namespace: 'default', name: 'web' }
const original = { request: 100, limit: 200 }
/** Four times as much, which is two steps, and then less, which is two again. */
const wishes = [
  { request: 400, limit: 800 },
  { request: 150, limit: 300 },
]
const factor = 2
/** The usual cooldown is 5 s, and a time that is written down counts whole seconds. */
const cooldownSeconds = 4

type Amount = { readonly request: number; readonly limit: number }

type Life = {
  /** Of the one that was to die. */
  readonly asked: readonly string[]
  readonly died: boolean
  /** Until the original values were to be restored, which may be done in one step. */
  readonly resizes: readonly Resize[]
  readonly pod: Pod
}

const allocationOf = ({ request, limit }: Amount): PodAllocation => ({
  metadata: place,
  spec: {
    podName: place.name,
    desiredCPURequest: `${request}m`,
    desiredCPULimit: `${limit}m`,
    urgency: 'normal',
  },
})

async function live(death: Death): Promise<Life> {
  const lives: Life[] = []
  await onSite({ cpus: 2 }, async (site) => {
    const { cluster, kube, pass } = site
    const resizes = followResizes(cluster)
    await kube.create<Pod>(pods, loadedPod('web', { request: '100m', limit: '200m' }))
    await pass(3)
    let running: RunningController | undefined
    const mortal = mortalWay(death, () =>
      cluster.agenda.soon(() => {
        running?.abandon()
        running = startController(site)
      }),
    )
    running = startController(site, { way: mortal.way })
    for (const wish of wishes) await carryOut(site, wish)
    const count = resizes.length
    await kube.remove(podAllocations, place)
    await waitFor(site, 'the original values', {
      holds: async () => hasOnly(await kube.get(pods, place), original),
    })
    await pass(5) // whoever is late would show now
    const pod = await kube.get(pods, place)
    lives.push({
      asked: mortal.asked,
      died: mortal.isDead(),
      resizes: resizes.slice(0, count),
      pod,
    })
    running.abandon()
  })
  const [life] = lives
  assert.ok(life)
  return life
}

async function carryOut(site: Site, wish: Amount): Promise<void> {
  const { kube } = site
  const { spec } = allocationOf(wish)
  await kube
    .patch(podAllocations, place, { type: 'merge', body: { spec } })
    .catch(async () => kube.create(podAllocations, allocationOf(wish)))
  let seen: PodAllocation | undefined
  await waitFor(site, `${wish.limit}m`, {
    holds: async () => {
      seen = await kube.get(podAllocations, place)
      const { phase, appliedCPULimit, observedGeneration } = seen.status ?? {}
      const isDone = phase === 'Applied' && appliedCPULimit === `${wish.limit}m`
      return isDone && observedGeneration === seen.metadata.generation
    },
    tell: () => JSON.stringify(seen?.status),
  })
}

/** Nothing else is left of us. */
const hasOnly = (pod: Pod, { request, limit }: Amount): boolean => {
  const amounts = amountsOf(pod)
  const isAsIs = amounts.get('app request') === request && amounts.get('app limit') === limit
  return isAsIs && pod.metadata.annotations?.[originalAnnotation] === undefined
}

function faultsOf({ resizes, pod, died }: Life): string[] {
  const restarts = pod.status?.containerStatuses?.[0]?.restartCount
  return [
    ...(died ? [] : ['nobody died']),
    ...doubleSteps(resizes, { factor, seconds: cooldownSeconds }),
    ...(hasOnly(pod, original) ? [] : [`in the end: ${JSON.stringify(pod.spec.containers)}`]),
    ...(restarts === 0 ? [] : [`${restarts} restarts`]),
    ...(pod.status?.qosClass === 'Burstable' ? [] : [`now ${pod.status?.qosClass}`]),
  ]
}

void describe('a controller that is killed', () => {
  void test('before or after any of its requests is followed by one that goes on', async (t) => {
    const whole = await live({ at: 0, when: 'before' })
    assert.deepEqual(faultsOf({ ...whole, died: true }), [])
    assert.deepEqual(
      whole.resizes.map(({ after }) => after.get('app limit')),
      [400, 800, 400, 300],
    )
    const faults: string[] = []
    let lives = 0
    for (const [i, request] of whole.asked.entries()) {
      for (const when of ['before', 'after'] as const) {
        lives += 1
        const found = await live({ at: i + 1, when }).then(faultsOf, (error: Error) => [
          error.message,
        ])
        faults.push(...found.map((fault) => `killed ${when} ${i + 1}: ${request}: ${fault}`))
      }
    }
    t.diagnostic(`${whole.asked.length} requests in a life, ${lives} killed`)
    assert.deepEqual(faults, [])
  })
})
