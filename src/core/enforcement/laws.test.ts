/** The laws of weights and the lane, over random nodes whose kernel shares CPU exactly by weight. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { sumOf } from '../../../test/bench/statistics.ts'
import { each } from '../../../test/each.ts'
import {
  type Course,
  type NodeRun,
  type Resident,
  runNode,
  shareByWeight,
  STEP_SECONDS,
} from '../../../test/enforcement/weighted-node.ts'
import { weightOfShares } from '../cgroup/weight.ts'
import { millicores } from '../units.ts'
import { sharesOf } from './weigh.ts'

const SECONDS = 80
const STEPS = SECONDS / STEP_SECONDS
const WINDOW_STEPS = 10 / STEP_SECONDS
/** By then credits are what the load makes of them, not what they started with. */
const WARM_STEPS = WINDOW_STEPS

type Habit = 'exact' | 'greedy' | 'bursty' | 'wavering'
const habits: readonly Habit[] = ['exact', 'greedy', 'bursty', 'wavering']

const memberOf = fc.record({
  part: fc.integer({ min: 1, max: 100 }),
  habit: fc.constantFrom(...habits),
  onSteps: fc.integer({ min: 1, max: 30 }),
  offSteps: fc.integer({ min: 1, max: 30 }),
  highRatio: fc.double({ min: 1, max: 9, noNaN: true }),
  waves: fc.array(fc.double({ min: 0, max: 2, noNaN: true }), { minLength: 5, maxLength: 40 }),
  isUrgent: fc.boolean(),
  /** Lent to it by the market, of its entitlement. */
  givenRatio: fc.double({ min: 1, max: 5, noNaN: true }),
  namespace: fc.constantFrom('a', 'b', 'c'),
  say: fc.double({ min: 0.1, max: 10, noNaN: true }),
})
type Drawn = typeof memberOf extends fc.Arbitrary<infer Value> ? Value : never

const nodeOf = fc.record({
  cpus: fc.constantFrom(2, 16, 64, 128),
  members: fc.array(memberOf, { minLength: 2, maxLength: 7 }),
})
type DrawnNode = typeof nodeOf extends fc.Arbitrary<infer Value> ? Value : never

function wantOf(drawn: Drawn, { cores, cpus }: { cores: number; cpus: number }) {
  const { habit, onSteps, offSteps, highRatio, waves } = drawn
  return (step: number): number => {
    if (habit === 'greedy') return cpus
    if (habit === 'exact') return cores
    if (habit === 'wavering') return cores * (waves[step % waves.length] ?? 0)
    return step % (onSteps + offSteps) < offSteps ? 0 : cores * highRatio
  }
}

/** Entitlements fill the node. */
function runOf({ cpus, members }: DrawnNode, urgencyOf: (drawn: Drawn) => number): NodeRun {
  const parts = sumOf(members.map(({ part }) => part))
  const residents = members.map((drawn): Resident => {
    const entitled = millicores(Math.floor((drawn.part / parts) * cpus * 1000))
    return {
      entitled,
      given: millicores(Math.floor(entitled * drawn.givenRatio)),
      urgency: urgencyOf(drawn),
      wantAt: wantOf(drawn, { cores: entitled / 1000, cpus }),
    }
  })
  return { cpus, members: residents, steps: STEPS }
}

/** Seconds of its entitlement that a member wanted and lost within ten seconds. */
type Loss = {
  readonly seconds: number
  /** The part of it that it had not taken from others just before. */
  readonly unpaidSeconds: number
}

/** The most of each, over all windows and all members that always want at least their entitlement. */
function worstLoss(
  { members }: NodeRun,
  { wanted, used, credits }: Course,
  isOwed: (one: Resident) => boolean = () => true,
): Loss {
  let [seconds, unpaidSeconds] = [0, 0]
  members.forEach((one, i) => {
    const cores = one.entitled / 1000
    if (!isOwed(one) || wanted.some((wants) => (wants[i] ?? 0) < cores)) return
    for (let to = WARM_STEPS + WINDOW_STEPS; to <= used.length; to += 1) {
      const from = to - WINDOW_STEPS
      const had = sumOf(used.slice(from, to).map((cores) => cores[i] ?? 0))
      const lost = (WINDOW_STEPS - had / cores) * STEP_SECONDS
      const debt = Math.max(0, -(credits[from]?.[i] ?? 0))
      seconds = Math.max(seconds, lost)
      unpaidSeconds = Math.max(unpaidSeconds, lost - debt)
    }
  })
  return { seconds, unpaidSeconds }
}

/** A quarter of a second each until the agent looks and until the credits are enough for all the way. */
const UNPAID_SECONDS = 0.5
/** With the deepest debt. */
const LOST_SECONDS = 1.5 + UNPAID_SECONDS

/** In ten seconds: what pods outside the lane weigh, and bursts of one sample, which are over when they are seen. */
const DILUTED_SECONDS = 1

const numRuns = 150

void describe('whoever always wants its entitlement', () => {
  const nobody = (): number => 0
  const someAreUrgent = ({ isUrgent }: Drawn): number => (isUrgent ? 1 : 0)
  const kernels = {
    exact: {},
    v1: { kernelWeight: sharesOf },
    v2: { kernelWeight: (weight: number) => weightOfShares(sharesOf(weight)) },
  }

  each(
    [
      { name: 'has it in any ten seconds', urgencyOf: nobody, kernel: kernels.exact },
      {
        name: 'has it beside neighbours who claim to miss their latency targets',
        urgencyOf: someAreUrgent,
        kernel: kernels.exact,
      },
      {
        name: 'has it with weights as far as the kernel takes them',
        urgencyOf: nobody,
        kernel: kernels.v1,
      },
      {
        name: 'has it with the fewer weights of cgroup v2',
        urgencyOf: nobody,
        kernel: kernels.v2,
      },
    ],
    ({ urgencyOf, kernel }) => {
      fc.assert(
        fc.property(nodeOf, (drawn) => {
          const run = { ...runOf(drawn, urgencyOf), ...kernel }
          const { seconds, unpaidSeconds } = worstLoss(run, runNode(run))
          assert.ok(
            unpaidSeconds <= UNPAID_SECONDS,
            `${unpaidSeconds} s that it did not take before`,
          )
          assert.ok(seconds <= LOST_SECONDS, `${seconds} s`)
        }),
        { numRuns },
      )
    },
  )
})

void describe('whoever always wants its entitlement, beside namespaces of several pods', () => {
  /** In namespace a nobody has a target, and all count alike. */
  const withNamespaces = (drawn: DrawnNode): NodeRun => {
    const run = runOf(drawn, ({ isUrgent, namespace }) => (isUrgent && namespace !== 'a' ? 1 : 0))
    const members = run.members.map((one, i) => {
      const { namespace, say } = drawn.members[i] ?? assert.fail()
      // The market lends no more than there is.
      const given = millicores(Math.max(one.entitled, Math.min(one.given ?? 0, run.cpus * 500)))
      return { ...one, given, namespace, say: namespace === 'a' ? 1 : say }
    })
    return { ...run, members }
  }

  void test('has it, whatever targets and multipliers others claim', () => {
    fc.assert(
      fc.property(nodeOf, (drawn) => {
        const run = withNamespaces(drawn)
        const isOwed = ({ namespace }: Resident): boolean => namespace === 'a'
        const { seconds, unpaidSeconds } = worstLoss(run, runNode(run), isOwed)
        const most = UNPAID_SECONDS + DILUTED_SECONDS
        assert.ok(unpaidSeconds <= most, `${unpaidSeconds} s not taken before`)
        assert.ok(seconds <= LOST_SECONDS + DILUTED_SECONDS, `${seconds} s`)
      }),
      { numRuns },
    )
  })

  void test('has it beside a mate with a latency target that is calm', () => {
    fc.assert(
      fc.property(nodeOf, fc.double({ min: 0, max: 0.6, noNaN: true }), (drawn, part) => {
        const run = withNamespaces(drawn)
        const members = run.members.map((one) =>
          one.namespace === 'b' && one.urgency === 1
            ? { ...one, wantAt: () => (part * one.entitled) / 1000 }
            : { ...one, ...(one.namespace === 'b' && { say: 1 }) },
        )
        const isOwed = ({ namespace, urgency }: Resident): boolean =>
          namespace === 'b' && urgency === 0
        const quiet = { ...run, members }
        const { seconds, unpaidSeconds } = worstLoss(quiet, runNode(quiet), isOwed)
        const most = UNPAID_SECONDS + DILUTED_SECONDS
        assert.ok(unpaidSeconds <= most, `${unpaidSeconds} s not taken before`)
        assert.ok(seconds <= LOST_SECONDS + DILUTED_SECONDS, `${seconds} s`)
      }),
      { numRuns },
    )
  })
})

void test('whoever used idle CPU loses half a second at most to one who was asleep and wakes', () => {
  const sleepSteps = 6 / STEP_SECONDS
  fc.assert(
    fc.property(fc.double({ min: 1, max: 1.85, noNaN: true }), (cores) => {
      const entitled = millicores(1000)
      const isAwake = (step: number): boolean => step % (2 * sleepSteps) >= sleepSteps
      const worker: Resident = { entitled, wantAt: (step) => (isAwake(step) ? 1 : cores) }
      const sleeper: Resident = { entitled, wantAt: (step) => (isAwake(step) ? 2 : 0) }
      const run = { cpus: 2, members: [worker, sleeper], steps: STEPS }
      const { seconds } = worstLoss(run, runNode(run))
      assert.ok(seconds <= UNPAID_SECONDS, `${seconds} s`)
    }),
    { numRuns },
  )
})

void test('nobody waits while CPU is idle', () => {
  fc.assert(
    fc.property(nodeOf, (drawn) => {
      const run = runOf(drawn, ({ isUrgent }) => (isUrgent ? 1 : 0))
      const { wanted, used } = runNode(run)
      used.forEach((cores, step) => {
        const wants = sumOf(wanted[step] ?? [])
        assert.ok(Math.abs(sumOf(cores) - Math.min(wants, run.cpus)) < 1e-6)
      })
    }),
    { numRuns },
  )
})

void describe('ten pods of one entitlement', () => {
  const victim: Resident = { entitled: millicores(1000), wantAt: () => 2 }
  const had = (attackers: readonly Resident[]): number[] => {
    const { used } = runNode({ cpus: 2, members: [victim, ...attackers], steps: STEPS })
    return used.map(([cores = 0]) => cores)
  }

  void test('that do the same have what one has', () => {
    const one = had([{ entitled: millicores(1000), wantAt: () => 2 }])
    const ten = Array.from({ length: 10 }, () => ({
      entitled: millicores(100),
      wantAt: () => 0.2,
    }))
    const many = had(ten)
    many.forEach((cores, i) => assert.ok(Math.abs(cores - (one[i] ?? 0)) < 1e-6))
  })

  void test('that take turns take nothing of what another requested', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), (turnSteps) => {
        const attackers = Array.from({ length: 10 }, (_, i) => ({
          entitled: millicores(100),
          wantAt: (step: number) => (Math.floor(step / turnSteps) % 10 === i ? 2 : 0),
        }))
        const cores = had(attackers)
        for (let to = WARM_STEPS + WINDOW_STEPS; to <= cores.length; to += 1) {
          const mean = sumOf(cores.slice(to - WINDOW_STEPS, to)) / WINDOW_STEPS
          assert.ok(mean >= 1 - LOST_SECONDS / 10, `${mean}`)
        }
      }),
    )
  })
})

void test('the kernel of these tests shares as its table says', () => {
  const share = (weights: readonly number[], wants: readonly number[]) =>
    shareByWeight(
      2,
      weights.map((weight, i) => ({ weight, want: wants[i] ?? 0 })),
    )
  assert.deepEqual(share([1, 1], [3, 0.5]), [1.5, 0.5])
  assert.deepEqual(share([3, 1], [3, 3]), [1.5, 0.5])
  assert.deepEqual(share([3, 1], [0, 3]), [0, 2])
})
