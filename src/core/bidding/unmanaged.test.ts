import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { container, pod } from '../../../test/node-pods.ts'
import { millicores, millis } from '../units.ts'
import { biddingRules } from './rules.ts'
import { heldBy, whyUnmanaged } from './unmanaged.ts'

void describe('who stays out of the market', () => {
  each(
    [
      { name: 'a usual pod takes part', pod: pod(), says: /^undefined$/ },
      { name: 'opted out', pod: pod({ wishes: { isOptedOut: true } }), says: /mbcas.io\/managed/ },
      { name: 'turned off', pod: pod({ wishes: { isOff: true } }), says: /off by mbcas.io\/mode/ },
      { name: 'of the system', pod: pod({ namespace: 'kube-system' }), says: /kube-system/ },
      { name: 'ours', pod: pod({ namespace: 'mbcas-system' }), says: /system namespace/ },
      { name: 'static', pod: pod({ isStatic: true }), says: /static pod/ },
      { name: 'pending', pod: pod({ phase: 'pending' }), says: /not running yet/ },
      { name: 'terminating', pod: pod({ phase: 'terminating' }), says: /is terminating/ },
      {
        name: 'too large',
        pod: pod({ unread: 'more than 9 bytes' }),
        says: /too large .* 9 bytes/,
      },
      { name: 'finished', pod: pod({ phase: 'finished' }), says: /has finished/ },
      { name: 'Guaranteed', pod: pod({ qosClass: 'Guaranteed' }), says: /Guaranteed/ },
      { name: 'BestEffort', pod: pod({ qosClass: 'BestEffort' }), says: /BestEffort/ },
      { name: 'of pod level', pod: pod({ hasPodResources: true }), says: /pod as a whole/ },
      { name: 'without containers', pod: pod({ containers: [] }), says: /no containers/ },
      {
        name: 'restarted by a resize',
        pod: pod({ containers: [container({ restartsOnResize: true })] }),
        says: /container app restarted/,
      },
      {
        name: 'Guaranteed and opted in, it takes part',
        pod: pod({ qosClass: 'Guaranteed', wishes: { managesGuaranteed: true } }),
        says: /^undefined$/,
      },
      {
        name: 'with CPUs of its own, also when opted in',
        pod: pod({
          qosClass: 'Guaranteed',
          wishes: { managesGuaranteed: true },
          containers: [container({ exclusiveCpus: 2 })],
        }),
        says: /has CPUs of its own for container app/,
      },
      {
        name: 'Guaranteed, opted in, but fixed by the kubelet',
        pod: pod({
          qosClass: 'Guaranteed',
          isFixed: true,
          wishes: { managesGuaranteed: true },
        }),
        says: /static CPU policy/,
      },
      {
        name: 'without a limit on one container, it takes part',
        pod: pod({ containers: [container(), container({ name: 'log', limit: undefined })] }),
        says: /^undefined$/,
      },
      {
        name: 'without request and limit on all',
        pod: pod({ containers: [container({ request: undefined, limit: undefined })] }),
        says: /neither a CPU request nor a CPU limit/,
      },
      {
        name: 'not measured yet',
        pod: pod({ containers: [container({ demandCores: undefined })] }),
        says: /not measured yet: container app/,
      },
    ],
    ({ pod, says }) => assert.match(String(whyUnmanaged(pod, biddingRules)), says),
  )

  each(
    [
      { name: 'holds its request', usage: 0.1, held: 300 },
      { name: 'holds its use when that is more', usage: 0.5, held: 500 },
      { name: 'holds its request before it is measured', usage: undefined, held: 300 },
      { name: 'holds nothing once finished', usage: 0.5, phase: 'finished' as const, held: 0 },
      { name: 'holds nothing before its kubelet took it', phase: 'pending' as const, held: 0 },
      {
        name: 'nor where it is ended before',
        phase: 'terminating' as const,
        held: 0,
      },
      {
        name: 'holds its request from then on',
        phase: 'pending' as const,
        cameAt: millis(1000),
        held: 300,
      },
    ],
    ({ usage, phase = 'running' as const, cameAt, held }) => {
      const one = container({ request: millicores(300), usageCores: usage })
      assert.equal(heldBy(pod({ phase, cameAt, containers: [one] })), held)
    },
  )

  void test('one that is being ended holds no more than it came with', () => {
    const one = container({ request: millicores(2000), firstRequest: millicores(700) })
    const ending = pod({ phase: 'terminating', cameAt: millis(0), containers: [one] })
    assert.equal(heldBy(ending), 700)
  })

  void test('what the pod as a whole asks for is held, whatever its containers do', () => {
    assert.equal(heldBy(pod({ podRequest: millicores(700) })), 700)
  })

  void test('CPUs of its own count once, though they are its request', () => {
    const one = container({ request: millicores(2000), exclusiveCpus: 2, usageCores: 0.5 })
    assert.equal(heldBy(pod({ containers: [one] })), 2000)
  })
})
