import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { allocationObject, podObject, type PodParts } from '../../../test/controller-pods.ts'
import { each } from '../../../test/each.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { cpu } from '../../../test/resizes.ts'
import { readControllerConfig } from '../../apis/controller-config.ts'
import { defaultSettings } from '../../apis/market-settings.ts'
import type { PodAllocationSpec } from '../../apis/pod-allocation.ts'
import { type Millicores, millis } from '../../core/units.ts'
import type { Caches } from './caches.ts'
import { circumstancesOf, gather, type Knowledge } from './gather.ts'
import { createNodeLedger } from './node-ledger.ts'
import { createRefusals } from './refusals.ts'
import { seePod } from './seen-pod.ts'

type Kept<C> = C extends { readonly get: (key: string) => (infer P) | undefined } ? P : never
type Content = {
  readonly [K in keyof Caches]?: Readonly<Record<string, Kept<Caches[K]>>>
}

/** Everything is in one namespace and on one node. */
const cachesWith = (content: Content): Caches => {
  const view = (name: keyof Content) => {
    const kept = (content[name] ?? {}) as Readonly<Record<string, never>>
    return {
      size: Object.keys(kept).length,
      get: (key: string) => kept[key],
      list: () => Object.values(kept),
      byIndex: () => Object.values(kept),
      hasSynced: () => true,
      stopped: Promise.resolve(),
    }
  }
  return {
    settings: () => defaultSettings,
    silentFor: () => undefined,
    silentAgents: () => 0,
    allocations: view('allocations'),
    pods: view('pods'),
    nodes: view('nodes'),
    markets: view('markets'),
    namespaces: view('namespaces'),
    limitRanges: view('limitRanges'),
    quotas: view('quotas'),
    horizontal: view('horizontal'),
    vertical: view('vertical'),
    isSynced: () => true,
    stopped: Promise.resolve([]),
  }
}

const knowing = (content: Content = {}): Knowledge => {
  const caches = cachesWith({
    nodes: { 'node-0': { allocatable: 4000 as Millicores } },
    ...content,
  })
  return {
    caches,
    config: readControllerConfig({}, 'a test'),
    ledger: createNodeLedger(caches.pods.get),
    refusals: createRefusals(manualClock()),
    sinceResize: () => millis(7),
  }
}

const ask = (
  known: Knowledge,
  { pod = {}, spec = {} }: { pod?: PodParts; spec?: Partial<PodAllocationSpec> } = {},
) => {
  const owners = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }]
  const allocation = allocationObject({ desiredCPULimit: '400m', ...spec })
  return gather(known, { allocation, pod: seePod(podObject(pod)), owners })
}

void describe('apps/controller: what is known about a pod', () => {
  void test('what is desired, by whom, where, and since when', () => {
    const question = ask(knowing(), { spec: { urgency: 'guardrail' } })
    assert.deepEqual(question.desired, [cpu('app', undefined, 400)])
    assert.equal(question.urgency, 'guardrail')
    assert.equal(question.sinceResizeMillis, 7)
    assert.deepEqual(question.node, {
      name: 'node-0',
      allocatable: 4000,
      others: -100, // its own, which no ledger was told of
      limitStep: 10,
    })
    assert.deepEqual(question.rules, { cooldownMillis: 5000, stepFactor: 2 })
  })

  void test('a pod that is not there', () => {
    const question = gather(knowing(), {
      allocation: allocationObject(),
      pod: undefined,
      owners: [],
    })
    assert.equal(question.pod, undefined)
  })

  each(
    [
      { name: 'a PodAllocation without a UID is for any pod of the name', spec: {}, is: false },
      { name: 'that of this pod', spec: { podUID: 'uid-web', nodeName: 'node-0' }, is: false },
      { name: 'that of its predecessor', spec: { podUID: 'uid-old' }, is: true },
      { name: 'that of one on another node', spec: { nodeName: 'node-1' }, is: true },
    ],
    ({ spec, is }) => assert.equal(ask(knowing(), { spec }).isOtherPod, is),
  )

  each(
    [
      { name: 'nothing is known of the kubelet', market: {}, step: 10, isExclusive: false },
      {
        name: 'a cgroupfs driver keeps finer limits',
        market: { cgroupDriver: 'cgroupfs' as const },
        step: 1,
        isExclusive: false,
      },
      {
        name: 'a static CPU manager keeps Guaranteed pods as they are',
        market: { cgroupDriver: 'systemd' as const, cpuManagerPolicy: 'static' as const },
        step: 10,
        isExclusive: true,
      },
    ],
    ({ market, step, isExclusive }) => {
      const known = knowing({ markets: { 'node-0': market } })
      const question = ask(known, { pod: { status: { qosClass: 'Guaranteed' } } })
      assert.equal(question.node?.limitStep, step)
      assert.equal(question.pod?.hasExclusiveCpus, isExclusive)
    },
  )

  void test('who else is at it', () => {
    const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
    const question = ask(
      knowing({
        horizontal: {
          'shop/by-load': { metadata: { name: 'by-load' }, spec: { scaleTargetRef: target } },
        },
        vertical: { 'shop/by-use': { metadata: { name: 'by-use' }, spec: { targetRef: target } } },
      }),
    )
    assert.equal(question.horizontalAutoscaler, 'by-load')
    assert.equal(question.verticalAutoscaler, 'by-use')
  })

  void test('what was refused, until the node or the namespace changes', () => {
    const known = knowing()
    const refused = { values: [cpu('app', 64_000)], reason: 'NodeCapacity', message: 'no' } as const
    known.refusals.remember('uid-web', refused, circumstancesOf(ask(known)))
    assert.deepEqual(ask(known).refusal, { reason: 'NodeCapacity', message: 'no' })
    const nodes = { 'node-0': { allocatable: 8000 as Millicores } }
    const later = { ...knowing({ nodes }), refusals: known.refusals }
    assert.equal(ask(later).infeasible, undefined)
  })
})
