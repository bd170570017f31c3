import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { keepInFile } from '../../adapters/kept-file.ts'
import { type Action, type Lessons, type Policy, seedRates } from '../../core/learning/policy.ts'
import { readPolicy } from '../../core/learning/read-policy.ts'
import { type Situation, situationName } from '../../core/learning/situation.ts'
import type { KeptDocument } from '../../ports/kept-document.ts'
import { keepInMemory } from '../../sim/kept-in-memory.ts'
import { createLearner, type LearningPod } from './learner.ts'

const calm: Situation = { demandCores: 0.1, allocationCores: 0.125, waitedRatio: 0 }
const waiting: Situation = { demandCores: 0.1, allocationCores: 0.1, waitedRatio: 0.4 }

const pod = (more: Partial<LearningPod> = {}): LearningPod => ({
  uid: 'u-1',
  situation: calm,
  acts: false,
  blocked: undefined,
  ...more,
})

const policyOf = (lessons: Lessons): Policy => ({
  version: 1,
  situations: { [situationName(calm)]: lessons },
})
const best = (action: Action): Policy =>
  policyOf({ hold: { value: -2, tries: 5 }, [action]: { value: -1, tries: 5 } })

/** `roll` is what every die shows; with 1, which none does, nothing is tried at random. */
function learnerOn(store: KeptDocument, { roll = 1 } = {}) {
  const clock = manualClock()
  const lines: string[] = []
  const counts: string[] = []
  const learner = createLearner({
    rates: seedRates,
    random: () => roll,
    clock,
    log: (_, __, fields) => void lines.push(String(fields?.['error'])),
    store,
    count: (action, use) => void counts.push(`${action} ${use}`),
  })
  return { ...learner, clock, lines, counts }
}

const keptIn = (store: KeptDocument): Policy['situations'] => readPolicy(store.load()).situations

void describe('a learner', () => {
  each<{
    name: string
    knows: Action
    of: Partial<LearningPod>
    factor: number
    why: RegExp
    counts: string
  }>(
    [
      {
        name: 'in shadow changes nothing, and counts what it would have done',
        knows: 'lower',
        of: {},
        factor: 1,
        why: /^not used, in shadow: lower: worth -1.00/,
        counts: 'lower shadow',
      },
      {
        name: 'lowers a pod that lets it learn',
        knows: 'lower',
        of: { acts: true },
        factor: 0.9,
        why: /^learnt lower: worth -1.00 after 5 tries/,
        counts: 'lower acted',
      },
      {
        name: 'raises a pod that lets it learn',
        knows: 'raise',
        of: { acts: true },
        factor: 1.1,
        why: /^learnt raise/,
        counts: 'raise acted',
      },
      {
        name: 'never lowers what the guardrail protects',
        knows: 'lower',
        of: { acts: true, blocked: 'not lowered while it suffers' },
        factor: 1,
        why: /^not lowered while it suffers, although learnt lower/,
        counts: 'lower blocked',
      },
      {
        name: 'raises what the guardrail protects',
        knows: 'raise',
        of: { acts: true, blocked: 'not lowered while it suffers' },
        factor: 1.1,
        why: /^learnt raise/,
        counts: 'raise acted',
      },
    ],
    ({ knows, of, factor, why, counts }) => {
      const learner = learnerOn(keepInMemory(best(knows)))
      const advice = learner.advise(pod(of))
      assert.equal(advice.factor, factor)
      assert.match(advice.reason, why)
      assert.deepEqual(learner.counts, [counts])
    },
  )

  void test('experiments only on pods that let it', () => {
    // A die below the exploration rate, which then shows the first action.
    const { advise, counts } = learnerOn(keepInMemory(best('raise')), { roll: 0.05 })
    for (const acts of [false, true]) advise(pod({ uid: String(acts), acts }))
    assert.deepEqual(counts, ['raise shadow', 'hold acted'])
  })

  each(
    [
      { name: 'what it did is what it learns from', of: { acts: true }, teaches: 'raise' },
      { name: 'in shadow that is holding', of: {}, teaches: 'hold' },
    ] as const,
    ({ of, teaches }) => {
      const store = keepInMemory(best('raise'))
      const { advise, stop } = learnerOn(store)
      advise(pod(of))
      advise(pod({ ...of, situation: waiting }))
      stop()
      const lessons = keptIn(store)[situationName(calm)]
      assert.equal(lessons?.[teaches]?.tries, 6)
      assert.equal((lessons.raise?.tries ?? 0) + (lessons.hold?.tries ?? 0), 11)
    },
  )

  void test('what it learnt acts after a restart', () => {
    const store = keepInMemory()
    const first = learnerOn(store)
    for (let i = 0; i < 3; i += 1) first.advise(pod({ situation: waiting }))
    first.stop()
    assert.equal(keptIn(store)[situationName(waiting)]?.hold?.tries, 2)
    const second = learnerOn(store)
    assert.match(second.advise(pod({ situation: waiting })).reason, /after 2 tries/)
    assert.deepEqual(second.lines, [])
  })

  void test('a pod that is gone teaches nothing more', () => {
    const store = keepInMemory()
    const { advise, keepOnly, stop } = learnerOn(store)
    advise(pod())
    keepOnly(new Set())
    advise(pod())
    stop()
    assert.equal(store.load(), undefined)
  })

  void test('it is kept once a minute at most, and only if something was learnt', async () => {
    const saved: number[] = []
    const memory = keepInMemory()
    const store = {
      ...memory,
      save: (document: unknown) => {
        saved.push(clock.now())
        memory.save(document)
      },
    }
    const { advise, save, clock } = learnerOn(store)
    for (let second = 0; second <= 130; second += 10) {
      if (second < 100) advise(pod())
      save()
      await clock.advance(10_000)
    }
    assert.deepEqual(saved, [60_000, 120_000])
  })

  each(
    [
      {
        name: 'what cannot be read is not believed',
        store: keepInFile(tmpdir()),
        why: /reading \/.*: it is a folder/,
      },
      {
        name: 'nor what is no policy',
        store: keepInMemory({ version: 1, situations: { any: {} } }),
        why: /reading policy.situations: "any" is not known/,
      },
    ],
    ({ store, why }) => {
      const { advise, lines } = learnerOn(store)
      assert.equal(lines.length, 1)
      assert.match(lines[0] ?? '', why)
      assert.match(advise(pod({ acts: true })).reason, /nothing known/)
    },
  )

  void test('a store that fails is told, and tried again', () => {
    const memory = keepInMemory()
    let isFull = true
    const save = (document: unknown): void => {
      if (isFull) throw new Error('no space left')
      memory.save(document)
    }
    const { advise, lines, stop } = learnerOn({ ...memory, save })
    advise(pod())
    advise(pod())
    stop()
    assert.deepEqual(lines, ['Error: no space left'])
    isFull = false
    stop()
    assert.equal(lines.length, 1)
    assert.notEqual(memory.load(), undefined)
  })
})
