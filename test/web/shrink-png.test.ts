import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync, inflateSync } from 'node:zlib'

import { shrinkPng } from './shrink-png.ts'

/** Sums are not looked at when a picture is read. */
function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
}

void describe('shrinking a picture', () => {
  void test('its pixels become numbers of colours, the most frequent first', () => {
    const header = Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0]) // 2 x 2, RGB
    // Filter 1: red, and no difference to it. Filter 2: green by the difference to red above; red.
    const rows = Buffer.from(
      [
        [1, 255, 0, 0, 0, 0, 0],
        [2, 1, 255, 0, 0, 0, 0],
      ].flat(),
    )
    const parts = [
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(rows)),
      chunk('IEND', Buffer.alloc(0)),
    ]
    const small = shrinkPng(Buffer.concat([Buffer.alloc(8), ...parts]))
    const palette = small.indexOf('PLTE')
    assert.equal(small.subarray(palette + 4, palette + 10).toString('hex'), 'ff000000ff00')
    const data = small.indexOf('IDAT')
    const length = small.readUInt32BE(data - 4)
    const pixels = inflateSync(small.subarray(data + 4, data + 4 + length))
    assert.deepEqual([...pixels], [0, 0, 0, 0, 1, 0])
  })
})
