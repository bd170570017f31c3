import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { InvalidInput } from '../errors.ts'
import { seededRandom } from '../random.ts'
import {
  type Action,
  actionFactor,
  actions,
  chooseAction,
  learn,
  type Lessons,
  type Policy,
  seedRates,
  untaughtPolicy,
} from './policy.ts'
import { readPolicy } from './read-policy.ts'
import { type Situation, situationName } from './situation.ts'

const calm: Situation = { demandCores: 0.1, allocationCores: 0.125, waitedRatio: 0 }
const policyOf = (lessons: Lessons): Policy => ({
  version: 1,
  situations: { [situationName(calm)]: lessons },
})
const greedy = { situation: calm, explorationRate: 0, random: () => 0 }
const value = (worth: number) => ({ value: worth, tries: 7 })

void describe('policy', () => {
  each(
    [
      {
        name: 'ignorance moves nothing',
        lessons: {},
        takes: 'hold',
        why: /nothing known of 0.7-0.85/,
      },
      {
        name: 'the best known action is taken',
        lessons: { raise: value(-3), hold: value(-2), lower: value(-1) },
        takes: 'lower',
        why: /lower: worth -1.00 after 7 tries in 0.7-0.85\/none\/unknown/,
      },
      {
        name: 'an untried one is not, however bad the others',
        lessons: { hold: value(-9) },
        takes: 'hold',
        why: /hold/,
      },
      {
        name: 'among equals nothing moves',
        lessons: { raise: value(-1), hold: value(-1) },
        takes: 'hold',
        why: /hold/,
      },
    ] as const,
    ({ lessons, takes, why }) => {
      const { action, reason } = chooseAction(policyOf(lessons), greedy)
      assert.equal(action, takes)
      assert.match(reason, why)
    },
  )

  void test('exploring tries every action, repeatably by seed', () => {
    const tries = (seed: number): Action[] => {
      const random = seededRandom(seed)
      return Array.from(
        { length: 50 },
        () => chooseAction(untaughtPolicy, { situation: calm, explorationRate: 1, random }).action,
      )
    }
    assert.deepEqual(new Set(tries(1)), new Set(actions))
    assert.deepEqual(tries(1), tries(1))
    assert.notDeepEqual(tries(1), tries(2))
  })

  void test('a lesson moves by the learning rate towards reward and discounted future', () => {
    const before = policyOf({ hold: { value: -1, tries: 3 } })
    const rates = { ...seedRates, learningRate: 0.5, discountFactor: 0.9 }
    const after = learn(before, { from: calm, action: 'lower', to: calm }, rates)
    // Reward -0.2 (slack), future 0.9 x -1, from 0 half of the way.
    const lesson = after.situations[situationName(calm)]?.lower
    assert.ok(Math.abs((lesson?.value ?? NaN) - -0.55) < 1e-12)
    assert.equal(lesson?.tries, 1)
    assert.deepEqual(before, policyOf({ hold: { value: -1, tries: 3 } }))
  })

  void test('it learns to lower where there is slack and to raise where it waits', () => {
    const random = seededRandom(3)
    const at = (allocationCores: number): Situation => ({
      demandCores: 0.1,
      allocationCores,
      waitedRatio: Math.max(0, 1 - allocationCores / 0.11),
    })
    let policy = untaughtPolicy
    for (let round = 0; round < 20_000; round++) {
      const from = at(0.05 + 0.3 * random())
      const action = chooseAction(policy, { situation: from, explorationRate: 1, random }).action
      const to = at(from.allocationCores * actionFactor[action])
      policy = learn(policy, { from, action, to }, seedRates)
    }
    const choose = (situation: Situation) => chooseAction(policy, { ...greedy, situation }).action
    assert.equal(choose(at(0.3)), 'lower')
    assert.equal(choose(at(0.06)), 'raise')
  })
})

void describe('reading a policy', () => {
  void test('what was written is read back', () => {
    const policy = policyOf({ raise: { value: -0.5, tries: 2 }, hold: { value: -0.1, tries: 9 } })
    assert.deepEqual(readPolicy(JSON.parse(JSON.stringify(policy))), policy)
  })

  const name = '0.5-0.7/none/fast'
  const situations = (lessons: unknown) => ({ version: 1, situations: { [name]: lessons } })
  each(
    [
      {
        name: 'nothing is refused',
        of: null,
        says: 'reading policy: expected an object, got null',
      },
      {
        name: 'another version is refused',
        of: { version: 2, situations: {} },
        says: 'reading policy.version: expected 1, got 2',
      },
      {
        name: 'an unknown key is refused',
        of: { version: 1, situation: {} },
        says: 'reading policy: "situation" is not known (perhaps situations)',
      },
      {
        name: 'no situations are refused',
        of: { version: 1 },
        says: 'reading policy.situations: expected an object, got undefined',
      },
      {
        name: 'an unknown situation is refused',
        of: { version: 1, situations: { '0.5-0.7/none/fats': {} } },
        says: 'reading policy.situations: "0.5-0.7/none/fats" is not known (perhaps 0.5-0.7/none/fast)',
      },
      {
        name: 'an unknown action is refused',
        of: situations({ rise: value(0) }),
        says: `reading policy.situations["${name}"]: "rise" is not known (perhaps raise)`,
      },
      {
        name: 'a value that is no number is refused',
        of: situations({ hold: { value: '1', tries: 1 } }),
        says: `reading policy.situations["${name}"].hold.value: expected a finite number, got "1"`,
      },
      {
        name: 'a value that JSON could not hold is refused',
        of: situations({ hold: { value: null, tries: 1 } }),
        says: `reading policy.situations["${name}"].hold.value: expected a finite number, got null`,
      },
      {
        name: 'half a try is refused',
        of: situations({ hold: { value: 1, tries: 0.5 } }),
        says: `reading policy.situations["${name}"].hold.tries: expected a whole number from 1, got 0.5`,
      },
    ],
    ({ of, says }) => assert.throws(() => readPolicy(of), new InvalidInput(says)),
  )
})
