import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { thin } from './thin.ts'

const point = (at: number, used: number) => ({ at, used })

void describe('thin', () => {
  void test('few points stay as they are', () => {
    const points = [point(0, 4), point(10, 6)]
    assert.deepEqual(thin(points, 2), points)
  })

  void test('neighbours become one, with the mean and the first moment', () => {
    const points = [point(0, 4), point(10, 6), point(20, 1)]
    assert.deepEqual(thin(points, 2), [point(0, 5), point(20, 1)])
  })
})
