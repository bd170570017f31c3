import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { fieldsIn, messagesOf, numberOf, numbersOf, textOf, textsOf } from './protobuf.ts'

const read = (hex: string) => fieldsIn(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

void describe('reading protocol buffers', () => {
  each(
    [
      { name: 'a number', hex: '08 01', is: [1] },
      { name: 'one of two bytes', hex: '08 ac 02', is: [300] },
      { name: 'one beyond 32 bits', hex: '08 80 80 80 80 20', is: [2 ** 33] },
      { name: 'some in a row', hex: '08 01 08 02', is: [1, 2] },
      { name: 'some packed together', hex: '0a 03 01 ac 02', is: [1, 300] },
      { name: 'none, among others', hex: '10 07', is: [] },
    ],
    ({ hex, is }) => assert.deepEqual(numbersOf(read(hex), 1), is),
  )

  void test('texts and messages', () => {
    const fields = read('0a 02 68 69 0a 01 21 12 02 08 05 12 00')
    assert.deepEqual(textsOf(fields, 1), ['hi', '!'])
    assert.equal(textOf(fields, 1), '!')
    assert.equal(textOf(fields, 3), '')
    const numbers = messagesOf(fields, 2).map((message) => numberOf(message, 1))
    assert.deepEqual(numbers, [5, 0])
  })

  void test('what has a fixed length is passed over', () => {
    const fields = read('09 01 02 03 04 05 06 07 08 15 01 02 03 04 18 09')
    assert.deepEqual(fields, [{ number: 3, value: 9 }])
  })

  each(
    [
      { name: 'half a number', hex: '08 80', says: /expected 1 more bytes, got 0/ },
      { name: 'half a text', hex: '0a 05 68', says: /expected 5 more bytes, got 1/ },
      {
        name: 'a number without end',
        hex: '08 ff ff ff ff ff ff ff ff ff ff 01',
        says: /ten bytes/,
      },
      { name: 'a group, which nobody writes', hex: '0b', says: /wire type, got 3/ },
    ],
    ({ hex, says }) => assert.throws(() => read(hex), { message: says }),
  )
})
