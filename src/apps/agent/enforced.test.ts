import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { charge, type ChargeGiven } from '../../../test/charges.ts'
import { each } from '../../../test/each.ts'
import { container } from '../../../test/node-pods.ts'
import { seenPod, type SeenOptions } from '../../../test/seen-pod.ts'
import { settings } from '../../apis/names.ts'
import { millicores } from '../../core/units.ts'
import { enforcedOf, type EnforcedQuestion, ownerOf } from './enforced.ts'

const CPUS = 4

const enforced = (
  given: ChargeGiven = {},
  seen: SeenOptions = {},
  { scale = 1, ...inside }: Partial<EnforcedQuestion['inside'] & { scale: number }> = {},
) =>
  enforcedOf({
    seen: seenPod({ request: '1', limit: '2', ...seen }),
    charge: charge(given),
    cpus: CPUS,
    config: { usesBurst: true },
    inside: { group: 0, weight: 0, ...inside },
    laneFactor: 256,
    scale,
    own: new Map(),
  })

const target = { annotations: { [settings.targetLatencyMs]: '100' } }

void describe('the weight that is enforced', () => {
  each<{ name: string; given: ChargeGiven; seen?: SeenOptions; cpus: number }>(
    [
      {
        name: 'of one that just came is what it is entitled to, and goes before who takes',
        given: {},
        cpus: 1,
      },
      {
        name: 'of one that used nothing for a while is far above',
        given: { standing: { credits: 2 } },
        cpus: 256,
      },
      {
        name: 'that the market gave more, is within it and used its own',
        given: {
          decision: { given: millicores(3000) },
          standing: { credits: -0.25, marketCredits: 1 },
        },
        cpus: 12,
      },
      {
        name: 'of one above both is what the market gave',
        given: {
          decision: { given: millicores(3000) },
          standing: { credits: -0.25, marketCredits: -0.25 },
        },
        cpus: 3,
      },
      {
        name: 'of a strict pod has what is secured of what was sold to it in the lane',
        given: {
          decision: {
            enforcement: 'strict',
            entitled: millicores(250),
            given: millicores(800),
            secured: millicores(500),
          },
          standing: { credits: 1, marketCredits: 1 },
        },
        cpus: 128,
      },
      {
        name: 'of one with a target that nobody measures counts in full',
        given: { standing: { credits: -0.25, marketCredits: -0.25 } },
        seen: target,
        cpus: 128,
      },
      {
        name: 'and less while the target is far',
        given: {
          standing: {
            credits: -0.25,
            marketCredits: -0.25,
            verdict: { state: 'well', slowRatio: 0.1 },
          },
        },
        seen: target,
        cpus: 64.5,
      },
    ],
    ({ given, seen, cpus }) => assert.equal(enforced(given, seen).shares, cpus * 1024),
  )

  void test('is on the scale of all', () => {
    assert.equal(enforced({ standing: { credits: 2 } }, {}, { scale: 1 / 64 }).shares, 4096)
  })

  void test('of a Guaranteed pod is put on the scale of the group beside it', () => {
    const containers = [container({ request: millicores(1000), limit: millicores(1000) })]
    const wishes = { managesGuaranteed: true }
    const given: ChargeGiven = {
      pod: { qosClass: 'Guaranteed', containers, wishes },
      standing: { credits: 2, marketCredits: 2 },
    }
    const seen = { limit: '1', qosClass: 'Guaranteed' } as const
    const inside = { group: 2, weight: 512 }
    assert.equal(enforced(given, seen).shares, 262_144)
    assert.equal(enforced(given, seen, inside).shares, 1024)
  })
})

void test('a strict share is not lent to mates with a target, and a floor is', () => {
  const isStrict = (given: ChargeGiven) => ownerOf(seenPod(), charge(given)).isStrict
  assert.deepEqual(
    [
      isStrict({ enforcement: 'strict' }),
      isStrict({ pod: { wishes: { minCpu: millicores(500) } } }),
    ],
    [true, false],
  )
})

void describe('the quota that is enforced', () => {
  const limits = [
    { type: 'Pod', max: { cpu: '6' } },
    { type: 'Container', max: { cpu: '700m' } },
  ]
  const limitRanges = [{ metadata: {}, spec: { limits } }]
  each<{ name: string; given?: ChargeGiven; seen?: SeenOptions; quota: unknown }>(
    [
      { name: 'is that of the whole machine, above its limit', quota: 4000 },
      { name: 'none where there is no limit', seen: { limit: '' }, quota: undefined },
      {
        name: 'its ceiling, as its pod says it now',
        seen: { annotations: { [settings.maxCpu]: '600m' } },
        quota: 600,
      },
      {
        name: 'also of one without a limit',
        seen: { limit: '', annotations: { [settings.maxCpu]: '600m' } },
        quota: 600,
      },
      { name: 'the most that a LimitRange lets it have', seen: { limitRanges }, quota: 700 },
      {
        name: 'what it is held to for others',
        given: { standing: { heldTo: millicores(1500) } },
        quota: 1500,
      },
      {
        name: 'the least of all',
        given: { standing: { heldTo: millicores(1500) } },
        seen: { limit: '', annotations: { [settings.maxCpu]: '600m' } },
        quota: 600,
      },
    ],
    ({ given, seen, quota }) => {
      const { bursts, ...wanted } = enforced(given, seen)
      assert.deepEqual([wanted.quota, wanted.quotas, bursts], [quota, undefined, false])
    },
  )

  void test('of each of several containers is what a LimitRange lets a container have', () => {
    const one = seenPod({ limitRanges }).pod.spec.containers
    const containers = [...one, ...one.map((same) => Object.assign({}, same, { name: 'other' }))]
    const { quota, quotas } = enforced({}, { limitRanges, spec: { containers } })
    assert.equal(quota, 1400)
    assert.deepEqual(
      [...(quotas ?? [])],
      [
        ['app', 700],
        ['other', 700],
      ],
    )
  })
})

void describe('the quota of a strict pod', () => {
  const strict = { enforcement: 'strict' } as const

  void test('is its share, by container, with burst', () => {
    const { decision } = charge(strict)
    const { quota, quotas, bursts } = enforced(strict)
    assert.deepEqual([quota, quotas?.get('app'), bursts], [decision.limit, decision.limit, true])
  })

  void test('is at most what a LimitRange that came since lets it have, and each container', () => {
    const max = (type: string, cpu: string) => [
      { metadata: {}, spec: { limits: [{ type, max: { cpu } }] } },
    ]
    const { limit } = charge(strict).decision
    assert.ok(limit > 300)
    assert.equal(enforced(strict, { limitRanges: max('Pod', '300m') }).quota, 300)
    assert.equal(enforced(strict, { limitRanges: max('Container', '300m') }).quota, 300)
  })

  void test('holds a container to what a LimitRange that came since lets a container have', () => {
    const half = container({ request: millicores(500), limit: millicores(1000) })
    const containers = [{ ...half, name: 'app', limit: millicores(1900) }, half]
    const decided = { pod: { containers: [containers[0] ?? half, { ...half, name: 'log' }] } }
    const one = seenPod().pod.spec.containers
    const spec = {
      containers: [...one, ...one.map((same) => Object.assign({}, same, { name: 'log' }))],
    }
    const range = [
      { metadata: {}, spec: { limits: [{ type: 'Container', max: { cpu: '1500m' } }] } },
    ]
    const { quota = 0, quotas } = enforced({ ...strict, ...decided }, { spec, limitRanges: range })
    assert.ok(quota !== 'asIs' && quota <= 3000)
    assert.ok([...(quotas?.values() ?? [])].every((each) => each <= 1500) && quotas?.size === 2)
  })

  void test('without burst where its owner wants none', () => {
    const seen = { annotations: { [settings.burst]: 'false' } }
    assert.equal(enforced(strict, seen).bursts, false)
  })

  void test('is left to the kubelet where it has no limit, up to its ceiling', () => {
    const containers = [container({ request: millicores(1000), limit: undefined })]
    const given = { ...strict, pod: { containers } }
    assert.equal(enforced(given, { limit: '' }).quota, 'asIs')
    const annotations = { [settings.maxCpu]: '600m' }
    assert.equal(enforced(given, { limit: '', annotations }).quota, 600)
  })

  void test('is at most a ceiling that came since, and no ceiling is below its floor', () => {
    const seen = { annotations: { [settings.maxCpu]: '50m' } }
    const { floor } = charge(strict).decision.bid
    assert.equal(floor, 100)
    assert.equal(enforced(strict, seen).quota, floor)
    assert.equal(enforced(strict, { annotations: { [settings.maxCpu]: '150m' } }).quota, 150)
  })
})
