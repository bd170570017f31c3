import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createWaitingRoom, quotaOf, roomOn } from './waiting-room.ts'

void describe('apps/controller: the waiting room', () => {
  void test('a change wakes those who wait for it, in the order in which they came', () => {
    const room = createWaitingRoom()
    room.wait('shop/b', roomOn('node-0'))
    room.wait('shop/a', roomOn('node-0'))
    room.wait('shop/b', roomOn('node-0'))
    room.wait('shop/c', quotaOf('shop'))
    assert.deepEqual([...room.waitingFor(roomOn('node-0'))], ['shop/b', 'shop/a'])
    assert.deepEqual([...room.waitingFor(roomOn('node-1'))], [])
  })

  void test('who waits for another thing, or for none, waits no more for the first', () => {
    const room = createWaitingRoom()
    room.wait('shop/a', roomOn('node-0'))
    room.wait('shop/b', roomOn('node-0'))
    room.wait('shop/a', quotaOf('shop'))
    room.wait('shop/b', undefined)
    assert.deepEqual([...room.waitingFor(roomOn('node-0'))], [])
    assert.deepEqual([...room.waitingFor(quotaOf('shop'))], ['shop/a'])
  })
})
