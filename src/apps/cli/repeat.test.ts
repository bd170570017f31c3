import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { manualClock } from '../../../test/manual-clock.ts'
import { print } from './repeat.ts'

function scene(given: {
  readonly isTerminal: boolean
  readonly intervalMillis: number | undefined
}) {
  const clock = manualClock()
  const written: string[] = []
  const complaints: string[] = []
  const ending = new AbortController()
  const answers: (string | Error)[] = []
  const produce = async (): Promise<string> => {
    const answer = answers.shift() ?? 'nothing\n'
    if (answer instanceof Error) throw answer
    return answer
  }
  const done = (): Promise<void> =>
    print({
      ...given,
      produce,
      write: (text) => written.push(text),
      complain: (message) => complaints.push(message),
      clock,
      signal: ending.signal,
    })
  return { clock, written, complaints, ending, answers, done }
}

void describe('printing', () => {
  void test('once, as it is', async () => {
    const { answers, written, done } = scene({ isTerminal: true, intervalMillis: undefined })
    answers.push('one\n')
    await done()
    assert.deepEqual(written, ['one\n'])
  })

  void test('again and again, after what was there', async () => {
    const { answers, written, clock, ending, done } = scene({
      isTerminal: false,
      intervalMillis: 2000,
    })
    answers.push('one\n', 'two\n')
    const ended = done()
    await clock.advance(2000)
    ending.abort()
    await clock.advance(2000)
    await ended
    assert.deepEqual(written, ['one\n', 'two\n'])
  })

  void test('on a terminal in place of the last, without what that had more', async () => {
    const { answers, written, clock, ending, done } = scene({
      isTerminal: true,
      intervalMillis: 2000,
    })
    answers.push('one\nmore\n', 'two\n')
    const ended = done()
    await clock.advance(2000)
    ending.abort()
    await clock.advance(2000)
    await ended
    assert.equal(written[0]?.startsWith('\u001B[2J'), true)
    assert.equal(written[1], '\u001B[Htwo\u001B[K\n\u001B[J')
  })

  void test('what fails at first is an error, what fails later is told and tried again', async () => {
    const { answers, written, complaints, clock, ending, done } = scene({
      isTerminal: false,
      intervalMillis: 2000,
    })
    answers.push(new Error('no cluster'))
    await assert.rejects(done(), /no cluster/)
    answers.push('one\n', new Error('gone'), 'two\n')
    const ended = done()
    await clock.advance(2000)
    await clock.advance(2000)
    ending.abort()
    await clock.advance(2000)
    await ended
    assert.deepEqual(
      { written, complaints },
      { written: ['one\n', 'two\n'], complaints: ['gone; trying again'] },
    )
  })
})
