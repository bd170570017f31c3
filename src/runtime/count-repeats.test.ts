import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { manualClock } from '../../test/manual-clock.ts'
import { seenPods, unreadableCgroups } from '../../test/unreadable-cgroups.ts'
import { createSampler } from '../apps/agent/sampler.ts'
import { every } from './every.ts'
import { jsonLog } from './json-log.ts'

type Line = { readonly msg: string; readonly [field: string]: unknown }

function logging() {
  const clock = manualClock()
  const lines: Line[] = []
  const write = (line: string): void => void lines.push(JSON.parse(line) as Line)
  return { clock, lines, log: jsonLog({ write, clock, level: 'info' }) }
}

void describe('what a process logs again and again', () => {
  void test('50 unreadable containers are 20 lines, and 21 a minute, not 2,000 in ten seconds', async () => {
    const { clock, lines, log } = logging()
    const sampler = createSampler(unreadableCgroups, log)
    const pods = seenPods(50)
    const smoothing = { upSeconds: 1, downSeconds: 1 }
    const sampling = { cpus: 4, smoothing, looksForWaiting: false }
    const sampleFor = async (seconds: number): Promise<void> => {
      for (let i = 0; i < 4 * seconds; i++) {
        sampler.sample(pods, sampling)
        await clock.advance(250)
      }
    }
    await sampleFor(10)
    assert.equal(lines.length, 20)
    await sampleFor(51)
    assert.equal(lines.length, 41)
    const repeated = lines.slice(20).map((line) => line['repeated'])
    assert.deepEqual([repeated[0], repeated[20]], [239, 30 * 240])
    assert.equal(lines[40]?.['others'], true)
    await sampleFor(60)
    assert.equal(lines.length, 62)
  })

  void test('a rhythm that fails at every turn is one line, and one a minute', async () => {
    const { clock, lines, log } = logging()
    const ended = new AbortController()
    const rhythm = { clock, log, signal: ended.signal, interval: 250, doing: 'sampling' }
    const ran = every(rhythm, () => {
      throw new Error('reading node n1: expected status.allocatable.cpu, got nothing')
    })
    await clock.advance(10_250)
    assert.equal(lines.length, 1)
    await clock.advance(120_000)
    assert.deepEqual(
      lines.map((line) => line['repeated']),
      [undefined, 239, 240],
    )
    ended.abort()
    await ran
  })

  void test('another object, another trouble and what comes back later are logged at once', async () => {
    const { clock, lines, log } = logging()
    log('warn', 'failed', { pod: 'a', error: new Error('port 1234 refused') })
    log('warn', 'failed', { pod: 'a', error: new Error('port 99 refused') })
    log('warn', 'failed', { pod: 'b', error: new Error('port 1 refused') })
    log('warn', 'failed', { pod: 'a', error: new Error('forbidden') })
    log('info', 'failed', { pod: 'a' })
    log('info', 'failed', { pod: 'a' })
    assert.equal(lines.length, 5)
    await clock.advance(60_000)
    log('info', 'going on')
    assert.equal(lines[5]?.['repeated'], 1)
    await clock.advance(60_000)
    log('warn', 'failed', { pod: 'b', error: new Error('port 1 refused') })
    assert.equal(lines.length, 8)
  })
})
