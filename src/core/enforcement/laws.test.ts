/** The laws of weights and the lane, over random nodes whose kernel shares CPU exactly by weight. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { sumOf } from '../../../test/bench/statistics.ts'
import {
  type Course,
  type NodeRun,
  type Resident,
  runNode,
  shareByWeight,
  STEP_SECONDS,
} from '../../../test/enforcement/weighted-node.ts'
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
})
type Drawn = typeof memberOf extends fc.Arbitrary<infer Value> ? Value : never

const nodeOf = fc.record({
  cpus: fc.constantFrom(2, 16),
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
      urgency: urgencyOf(drawn),
      wantAt: wantOf(drawn, { cores: entitled / 1000, cpus }),
    }
  })
  return { cpus, members: residents, steps: STEPS }
}

/** The most that a member lost in ten seconds of what it was entitled to and wanted, as a part of it. */
function worstLoss({ members }: NodeRun, { wanted, used }: Course): number {
  let worst = 0
  members.forEach(({ entitled }, i) => {
    const cores = entitled / 1000
    if (wanted.some((wants) => (wants[i] ?? 0) < cores)) return
    for (let to = WARM_STEPS + WINDOW_STEPS; to <= used.length; to += 1) {
      const had = sumOf(used.slice(to - WINDOW_STEPS, to).map((cores) => cores[i] ?? 0))
      worst = Math.max(worst, 1 - had / (WINDOW_STEPS * cores))
    }
  })
  return worst
}

/**
 * A quarter of a second each until the agent looks, until a debt is worked off and until the credits
 * are enough for the highest grade: three quarters of a second in ten.
 */
const TOLERANCE = 0.075
/** What the bounds of credits alone promise: from the most debt to the most credits, and a sample. */
const CREDITS_TOLERANCE = (2.5 + STEP_SECONDS) / 10

const numRuns = 150

void describe('whoever always wants its entitlement', () => {
  void test('loses in ten seconds at most what its credits can rise', () => {
    fc.assert(
      fc.property(nodeOf, (drawn) => {
        const run = runOf(drawn, () => 0)
        const loss = worstLoss(run, runNode(run))
        assert.ok(loss <= CREDITS_TOLERANCE, `${loss}`)
      }),
      { numRuns },
    )
  })

  void test('has it in any ten seconds, but for three quarters of one', () => {
    fc.assert(
      fc.property(nodeOf, (drawn) => {
        const run = runOf(drawn, () => 0)
        const loss = worstLoss(run, runNode(run))
        assert.ok(loss <= TOLERANCE, `${loss}`)
      }),
      { numRuns },
    )
  })

  void test('has it beside neighbours who claim to miss their latency targets', () => {
    fc.assert(
      fc.property(nodeOf, (drawn) => {
        const run = runOf(drawn, ({ isUrgent }) => (isUrgent ? 1 : 0))
        const loss = worstLoss(run, runNode(run))
        assert.ok(loss <= TOLERANCE, `${loss}`)
      }),
      { numRuns },
    )
  })

  void test('has it with weights as far as the kernel takes them', () => {
    fc.assert(
      fc.property(nodeOf, (drawn) => {
        const run = { ...runOf(drawn, () => 0), kernelWeight: sharesOf }
        const loss = worstLoss(run, runNode(run))
        assert.ok(loss <= TOLERANCE, `${loss}`)
      }),
      { numRuns },
    )
  })
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
          assert.ok(mean >= 1 - TOLERANCE, `${mean}`)
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
