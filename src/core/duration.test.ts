import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../test/each.ts'
import { parseDuration } from './duration.ts'

const flag = { flag: '--interval', min: 100, max: 3_600_000 }

void describe('durations', () => {
  each(
    [
      { name: 'milliseconds', text: '250ms', gives: 250 },
      { name: 'seconds', text: '1s', gives: 1000 },
      { name: 'parts of a minute', text: '1.5m', gives: 90_000 },
      { name: 'an hour', text: '1h', gives: 3_600_000 },
    ],
    ({ text, gives }) => assert.equal(parseDuration(text, flag), gives),
  )
  each(
    ['', '1', 's', '-1s', '1 s', '99ms', '2h', '1e3s'].map((text) => ({
      name: `${JSON.stringify(text)} is refused`,
      text,
    })),
    ({ text }) =>
      assert.throws(() => parseDuration(text, flag), {
        name: 'InvalidInput',
        message: `--interval: expected a duration such as 250ms or 15s, from 100ms to 3600s, got ${JSON.stringify(text)}`,
      }),
  )
})
