import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { askedOf, cpu, obeyedBy, podWith, questionOf, roomOf } from '../../../test/resizes.ts'
import type { Millicores, Millis } from '../units.ts'
import { violationOf } from './bounds.ts'
import { heldBy, ofName, totalOf } from './containers.ts'
import { decideResize } from './decide.ts'
import { newClassOf } from './qos.ts'
import { gridOf, isMet } from './quantise.ts'
import type { ContainerCpu, CpuBound, PodCpu, ResizeQuestion } from './types.ts'

const amount = fc.integer({ min: 1, max: 4000 })
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined })
const containerOf = (name: string) =>
  fc
    .tuple(amount, amount, fc.boolean())
    .map(([a, b, isLimited]) => cpu(name, Math.min(a, b), isLimited ? Math.max(a, b) : undefined))

const burstable = fc
  .record({
    a: containerOf('a'),
    b: containerOf('b'),
    asked: maybe(containerOf('a')),
    isTied: fc.boolean(),
    memoryIsGuaranteed: fc.boolean(),
    restarting: fc.constantFrom([], [], ['a']),
    state: fc.constantFrom(undefined, 'Deferred', 'Infeasible', 'InProgress', 'Error'),
  })
  .map(({ a, b, asked, isTied, state, ...rest }) => {
    const first = isTied ? cpu('a', a.request, a.request) : a
    const limited = isTied ? cpu('b', b.request, b.limit ?? 5000) : b
    const pod = podWith([first, limited], {
      ...rest,
      pending: state && { state, message: '', since: undefined },
    })
    // A resize under way, of what it has.
    return asked === undefined || first.limit === undefined || asked.limit === undefined
      ? pod
      : askedOf(pod, [asked])
  })
  .filter((pod) => newClassOf({ ...pod, qosClass: 'Guaranteed' }, []) !== undefined)

const whole = fc.integer({ min: 10, max: 4000 })
const guaranteed = fc
  .tuple(whole, whole)
  .map(([a, b]) =>
    podWith([cpu('a', a, a), cpu('b', b, b)], { qosClass: 'Guaranteed', memoryIsGuaranteed: true }),
  )

const wish = fc
  .record({ a: maybe(containerOf('a')), b: maybe(containerOf('b')) })
  .map(({ a, b }) => [a, b].filter((one) => one !== undefined))

const bound: fc.Arbitrary<CpuBound> = fc.record({
  limitRange: fc.constant('cpu'),
  of: fc.constantFrom('Container', 'Pod'),
  min: maybe(fc.integer({ min: 1, max: 500 }).map((min) => min as Millicores)),
  max: maybe(fc.integer({ min: 600, max: 6000 }).map((max) => max as Millicores)),
  maxRatio: maybe(fc.double({ min: 1, max: 8, noNaN: true })),
})

type Asked = ResizeQuestion & { readonly pod: PodCpu }

const question: fc.Arbitrary<Asked> = fc
  .record({
    pod: fc.oneof(burstable, burstable, guaranteed),
    desired: wish,
    bounds: fc.array(bound, { maxLength: 2 }),
    left: fc.integer({ min: -500, max: 3000 }),
    quotaLeft: maybe(fc.integer({ min: -500, max: 3000 })),
    limitStep: fc.constantFrom(1, 10),
    factor: fc.constantFrom(1.1, 1.5, 2, 4),
    urgency: fc.constantFrom('normal', 'guardrail'),
    horizontalAutoscaler: fc.constantFrom(undefined, undefined, 'hpa'),
  })
  .map(({ pod, desired, bounds, left, quotaLeft, limitStep, factor, urgency, ...rest }) => {
    const held = totalOf(heldBy(pod), 'request')
    const of = (['request', 'limit'] as const).map((of) => ({ quota: 'team', of }))
    const used = 5000 as Millicores
    const quotas = of.flatMap((quota) =>
      quotaLeft === undefined ? [] : [{ ...quota, used, hard: (5000 + quotaLeft) as Millicores }],
    )
    const node = roomOf(10_000, 10_000 - held - left, limitStep)
    const rules = { cooldownMillis: 5000 as Millis, stepFactor: factor }
    const managesGuaranteed = true
    const on = { desired, bounds, quotas, node, urgency, managesGuaranteed, rules, ...rest }
    return questionOf(pod, on)
  })

const gridFor = ({ pod, node }: Asked) =>
  gridOf({ limitStep: node?.limitStep, isGuaranteed: pod.qosClass === 'Guaranteed' })

function whenResizing(holds: (asked: Asked, to: readonly ContainerCpu[]) => void): void {
  let resized = 0
  fc.assert(
    fc.property(question, (asked) => {
      const { action, to } = decideResize(asked)
      if (action !== 'resize') return
      resized += 1
      holds(asked, to)
    }),
    { numRuns: 1000 },
  )
  assert.ok(resized > 100, `only ${resized} resizes were looked at`)
}

void describe('core/resize: laws of every resize', () => {
  void test('the QoS class stays', () => {
    whenResizing(({ pod }, to) => assert.equal(newClassOf(pod, to), undefined))
  })

  void test('no container is restarted', () => {
    whenResizing(({ pod }, to) => {
      assert.ok(to.every(({ name }) => !pod.restarting.includes(name)))
    })
  })

  void test('a request is never above its limit, and nothing is set that was not', () => {
    whenResizing(({ pod }, to) => {
      for (const [i, { request = 0, limit }] of askedOf(pod, to).spec.entries()) {
        assert.ok(request <= (limit ?? Infinity))
        assert.equal(limit === undefined, pod.spec[i]?.limit === undefined)
      }
    })
  })

  void test('a LimitRange allows it', () => {
    whenResizing(({ pod, bounds }, to) => {
      assert.equal(violationOf(askedOf(pod, to).spec, bounds), undefined)
    })
  })

  void test('the node and the quotas have room for what is more', () => {
    whenResizing(({ pod, node, quotas }, to) => {
      const [before, after] = [heldBy(pod), heldBy(askedOf(pod, to))]
      const raised = totalOf(after, 'request') - totalOf(before, 'request')
      const left = (node?.allocatable ?? 0) - (node?.others ?? 0) - totalOf(before, 'request')
      assert.ok(raised <= Math.max(0, left), `${raised} of ${left}`)
      for (const { of, hard, used } of quotas) {
        const more = totalOf(after, of) - totalOf(before, of)
        assert.ok(more <= Math.max(0, hard - used), `${more} of ${hard - used} of ${of}`)
      }
    })
  })

  void test('it asks for what the spec does not say', () => {
    whenResizing((asked, to) => {
      assert.ok(to.length > 0)
      for (const one of to) {
        assert.equal(isMet([one], { has: asked.pod.spec, grid: gridFor(asked) }), false)
      }
    })
  })

  void test('it is no larger than a step, but for the guardrail and a LimitRange', () => {
    whenResizing((asked, to) => {
      if (asked.urgency === 'guardrail' || asked.bounds.length > 0) return
      // Then a wish under way counts for nothing, and to keep its class a pod may go one step less far.
      if (asked.pod.pending?.state === 'Infeasible' || asked.pod.memoryIsGuaranteed === true) return
      const grid = gridFor(asked)
      for (const { name, ...amounts } of to) {
        const has = asked.pod.actuated.find((container) => container.name === name)
        for (const field of ['request', 'limit'] as const) {
          const [from, end] = [has?.[field], amounts[field]]
          const underWay = ofName(asked.pod.spec, name)?.[field]
          if (from === undefined || end === undefined || underWay === undefined) continue
          const { step, least } = grid[field]
          const start = Math.max(least, Math.ceil(from / step) * step)
          const { stepFactor } = asked.rules
          const far = Math.max(start * stepFactor, start + step, underWay)
          // A request follows its limit, of which the least step may be a larger one.
          const limit = field === 'request' ? (amounts.limit ?? Infinity) : Infinity
          const near = Math.min(start / stepFactor, start - step, underWay, limit)
          assert.ok(end <= far && end >= near, `${name} ${field} from ${from} to ${end}`)
        }
      }
    })
  })

  /** The question right after the API server accepted, before the kubelet has looked. */
  function askAgain(asked: Asked, to: readonly ContainerCpu[]): Asked {
    const pod = { ...askedOf(asked.pod, to), pending: undefined }
    const quotas = asked.quotas.map((quota) => {
      const more = totalOf(heldBy(pod), quota.of) - totalOf(heldBy(asked.pod), quota.of)
      return { ...quota, used: (quota.used + Math.max(0, more)) as Millicores }
    })
    return { ...asked, pod, quotas, sinceResizeMillis: 0 as Millis }
  }

  void test('deciding twice in a row does not resize twice', () => {
    whenResizing((asked, to) => {
      const { urgency, pod, bounds, quotas } = asked
      // Of the guardrail, where only the node cuts it; else something may be left over.
      const isCutOnce = bounds.length + quotas.length === 0 && pod.memoryIsGuaranteed === false
      const isAtRest = pod.spec === pod.actuated
      if (urgency === 'guardrail' && !(isCutOnce && isAtRest)) return
      const again = decideResize(askAgain(asked, to))
      assert.notEqual(again.action, 'resize', again.message)
    })
  })

  void test('what several rules leave over is taken by the guardrail, and that ends', () => {
    whenResizing((asked, to) => {
      let now = askAgain(asked, to)
      for (let resizes = 1, next = decideResize(now); next.action === 'resize'; resizes += 1) {
        assert.ok(resizes < 20, next.message)
        const held = totalOf(heldBy(now.pod), 'request') + totalOf(heldBy(now.pod), 'limit')
        now = askAgain(now, next.to)
        assert.ok(held <= totalOf(heldBy(now.pod), 'request') + totalOf(heldBy(now.pod), 'limit'))
        next = decideResize(now)
      }
    })
  })
})

void describe('core/resize: laws of a pod on its way', () => {
  const settled = fc.tuple(containerOf('a'), containerOf('b')).map((spec) => podWith(spec))

  void test('a kubelet that obeys is at the goal in ceil(log2(ratio)) resizes, then it is done', () => {
    fc.assert(
      fc.property(
        fc.oneof(settled, guaranteed),
        wish,
        fc.constantFrom(1, 10),
        (pod, desired, step) => {
          const ask = (now: PodCpu) => {
            const node = roomOf(100_000, 0, step)
            return decideResize(questionOf(now, { desired, managesGuaranteed: true, node }))
          }
          let now = pod
          let resizes = 0
          for (let next = ask(now); next.action === 'resize'; next = ask(now)) {
            now = obeyedBy(askedOf(now, next.to))
            resizes += 1
            assert.ok(resizes < 20, 'it never ends')
          }
          const { action, reason, message } = ask(now)
          assert.match(`${action} ${reason}`, /^(?:done Applied|refuse Unsupported)$/, message)
          assert.ok(resizes <= needed({ from: pod, to: now, step }), `${resizes} resizes`)
        },
      ),
      { numRuns: 500 },
    )
  })

  function needed({ from, to, step }: { from: PodCpu; to: PodCpu; step: number }): number {
    const grid = gridOf({
      limitStep: step as Millicores,
      isGuaranteed: from.qosClass === 'Guaranteed',
    })
    const ratios = from.spec.flatMap((container, i) =>
      (['request', 'limit'] as const).map((field) => {
        const { least, step } = grid[field]
        const onGrid = (amount = 0) => Math.max(least, Math.ceil(amount / step) * step)
        const [a, b] = [onGrid(container[field]), onGrid(to.spec[i]?.[field])]
        return Math.max(a / b, b / a)
      }),
    )
    return Math.ceil(Math.log2(Math.max(...ratios)))
  }

  void test('pods of one node never keep more than it has, in whatever order they and the kubelet act', () => {
    const pods = fc.array(fc.record({ pod: settled, desired: wish }), {
      minLength: 2,
      maxLength: 4,
    })
    const acts = fc.array(fc.tuple(fc.nat(3), fc.boolean()), { maxLength: 60 })
    fc.assert(
      fc.property(pods, acts, fc.nat(1000), (all, acts, spare) => {
        const state = all.map(({ pod }) => pod)
        const kept = () => state.map((pod) => totalOf(heldBy(pod), 'request'))
        const total = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0)
        const allocatable = total(kept()) + spare
        for (const [pick, isKubelet] of acts) {
          const i = pick % all.length
          const pod = state[i] ?? assert.fail()
          if (isKubelet) {
            state[i] = obeyedBy(pod)
          } else {
            const others = total(kept()) - totalOf(heldBy(pod), 'request')
            const node = roomOf(allocatable, others)
            const { action, to } = decideResize(
              questionOf(pod, { desired: all[i]?.desired ?? [], node }),
            )
            if (action === 'resize') state[i] = askedOf(pod, to)
          }
          assert.ok(total(kept()) <= allocatable)
        }
      }),
      { numRuns: 300 },
    )
  })
})
