import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { millis } from '../units.ts'
import { afterWrite, isDue, isResting, type Look, lookAt, type Watched } from './contest.ts'

const ours = afterWrite(undefined, { asked: 5000, stands: 5000 })

/** Looks at these values, one each so long, and writes ours where that is due. */
function watch(values: readonly number[], everyMillis: number, before: Watched = ours) {
  let watched = before
  const news: (Look['news'] | 'calm')[] = []
  for (const [i, value] of values.entries()) {
    const at = millis(i * everyMillis)
    const look = lookAt(watched, value, at)
    news.push(look.news ?? 'calm')
    watched = isDue(look.watched, 5000, at)
      ? afterWrite(look.watched, { asked: 5000, stands: 5000 })
      : look.watched
  }
  return { news, watched }
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

void describe('a weight that others may set too', () => {
  each(
    [
      { name: 'is left as it is while it stands', values: [5000, 5000], news: ['calm', 'calm'] },
      {
        name: 'that somebody wrote once counts once',
        values: [512, 5000, 5000],
        news: ['written', 'calm', 'calm'],
      },
      {
        name: 'that somebody wrote seven times is put right each time',
        values: [...times(7, 512), 5000],
        news: [...times(7, 'written'), 'calm'],
      },
      {
        name: 'is contested by the eighth write within ten seconds',
        values: times(8, 512),
        news: [...times(7, 'written'), 'contested'],
      },
      {
        name: 'is not contested by any number of writes that are further apart',
        values: times(20, 512),
        everyMillis: 1500,
        news: times(20, 'written'),
      },
    ],
    ({ values, everyMillis = 250, news }) => {
      assert.deepEqual(watch(values, everyMillis).news, news)
    },
  )

  void test('is due again after a foreign write, also of nearly the same', () => {
    const at = millis(250)
    assert.equal(isDue(ours, 5100, at), false)
    assert.equal(isDue(ours, 6000, at), true)
    assert.equal(isDue(lookAt(ours, 5100, at).watched, 5000, at), true)
  })

  void test('that the kernel made something else of is ours all the same', () => {
    const rounded = afterWrite(undefined, { asked: 20, stands: 2 })
    assert.equal(isDue(rounded, 20, millis(0)), false)
    assert.equal(lookAt(rounded, 2, millis(0)).news, undefined)
  })

  void test('that is contested rests for a minute, and is due again then', () => {
    const { watched } = watch(times(8, 512), 250)
    const end = 7 * 250 + 60_000
    assert.deepEqual(
      [end - 1, end].map(millis).map((at) => isResting(watched, at)),
      [true, false],
    )
    assert.deepEqual(
      [end - 1, end].map(millis).map((at) => isDue(watched, 5000, at)),
      [false, true],
    )
  })
})
