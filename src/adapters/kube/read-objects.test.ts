import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { ApiError } from '../../ports/kube.ts'
import { watchEvents } from './read-objects.ts'

async function* pieces(bytes: Uint8Array, cuts: readonly number[]) {
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b)
  let start = 0
  for (const end of [...at, bytes.length]) {
    yield bytes.subarray(start, end)
    start = end
  }
}

async function read(text: string, cuts: readonly number[] = []) {
  const events = []
  for await (const event of watchEvents(pieces(Buffer.from(text), cuts), 'watching pods')) {
    events.push(event)
  }
  return events
}

const event = fc.record({
  type: fc.constantFrom('ADDED', 'MODIFIED', 'DELETED'),
  object: fc.record({
    metadata: fc.record({
      name: fc.string({ unit: 'binary' }),
      uid: fc.string({ unit: 'grapheme' }),
    }),
  }),
})

void describe('adapters/kube: the stream of a watch', () => {
  void test('law: however the bytes are cut, the events are those that were sent', async () => {
    const cuts = fc.array(fc.nat(), { maxLength: 60 })
    const property = fc.asyncProperty(
      fc.array(event, { maxLength: 8 }),
      cuts,
      async (events, cuts) => {
        const sent = events.map((event) => `${JSON.stringify(event)}\n`).join('')
        assert.deepEqual(
          await read(sent, cuts),
          JSON.parse(`[${sent.trim().replaceAll('\n', ',')}]`),
        )
      },
    )
    await fc.assert(property, { numRuns: 300 })
  })

  void test('byte by byte, with characters of one to four bytes', async () => {
    const line = `${JSON.stringify({ type: 'ADDED', object: { metadata: { name: 'aé€😀' } } })}\n`
    const cuts = Array.from({ length: Buffer.byteLength(line) }, (_, i) => i)
    assert.deepEqual(await read(line + line, cuts), [JSON.parse(line), JSON.parse(line)])
  })

  void test('a bookmark gives its version; empty lines and a missing last newline do no harm', async () => {
    const text = '\n{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7"}}}'
    assert.deepEqual(await read(text), [{ type: 'BOOKMARK', resourceVersion: '7' }])
  })

  void test('an ERROR is thrown with its code, after the events before it', async () => {
    const status = {
      kind: 'Status',
      code: 410,
      reason: 'Expired',
      message: 'too old resource version: 1 (2)',
    }
    const text = `{"type":"ADDED","object":{"metadata":{}}}\n${JSON.stringify({ type: 'ERROR', object: status })}\n`
    let events = 0
    await assert.rejects(
      async () => {
        for await (const _ of watchEvents(pieces(Buffer.from(text), []), 'watching pods'))
          events += 1
      },
      (error: Error) => {
        assert.ok(error instanceof ApiError)
        assert.equal(error.code, 410)
        assert.equal(error.message, 'watching pods: 410 Expired: too old resource version: 1 (2)')
        return true
      },
    )
    assert.equal(events, 1)
  })

  each(
    [
      {
        name: 'an event that breaks off',
        text: '{"type":"ADDED","obj',
        says: /^watching pods: the watch broke off within an event: \{"type":"ADDED","obj$/,
      },
      {
        name: 'a line that is no event',
        text: '{"kind":"Pod"}\n',
        says: /^watching pods: expected an event, got \{"kind":"Pod"\}$/,
      },
      {
        name: 'an object without metadata',
        text: '{"type":"ADDED","object":{"spec":{}}}\n',
        says: /^watching pods: expected an object with metadata, got one without$/,
      },
    ],
    async ({ text, says }) => {
      await assert.rejects(read(text), (error: Error) => {
        assert.match(error.message, says)
        assert.equal(error.name, 'ConnectionFailed')
        return true
      })
    },
  )
})
