import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'

import { Gone } from './kept-files.ts'
import { sumRunDelay } from './run-delay.ts'

type Ground = {
  readonly waited: () => number | undefined
  /** The run delay of tasks in milliseconds; of nobody else there is a file. */
  readonly tell: (millis: Readonly<Record<number, number>>) => void
  readonly list: (ids: readonly number[], below?: string) => void
  readonly folder: string
}

function withGroup(use: (ground: Ground) => void): void {
  const top = mkdtempSync(join(tmpdir(), 'mbcas-delay-'))
  const [folder, proc] = [join(top, 'group'), join(top, 'proc')]
  mkdirSync(folder)
  const list = (ids: readonly number[], below = ''): void => {
    mkdirSync(join(folder, below), { recursive: true })
    writeFileSync(join(folder, below, 'tasks'), ids.map((id) => `${id}\n`).join(''))
  }
  const tell = (millis: Readonly<Record<number, number>>): void => {
    rmSync(proc, { recursive: true, force: true })
    for (const [id, delay] of Object.entries(millis)) {
      mkdirSync(join(proc, id), { recursive: true })
      writeFileSync(join(proc, id, 'schedstat'), `7000 ${delay * 1e6} 3\n`)
    }
  }
  try {
    use({ waited: sumRunDelay({ folder, list: 'tasks', proc }), tell, list, folder })
  } finally {
    rmSync(top, { recursive: true })
  }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

void describe('the run delay of a group', () => {
  void test('is what its tasks have gained since the first call', () => {
    withGroup(({ waited, tell, list }) => {
      list([10, 11])
      tell({ 10: 500, 11: 1 })
      assert.equal(waited(), 0)
      tell({ 10: 503, 11: 5 })
      assert.equal(waited(), 7000)
      assert.equal(waited(), 7000)
    })
  })

  void test('does not fall when tasks go, nor jump when they come', () => {
    withGroup(({ waited, tell, list }) => {
      list([10, 11])
      tell({ 10: 0, 11: 0 })
      waited()
      tell({ 10: 4, 11: 4 })
      assert.equal(waited(), 8000)
      list([11, 12])
      tell({ 11: 5, 12: 900 })
      assert.equal(waited(), 9000)
      list([10, 12])
      tell({ 10: 70, 12: 3 }) // both are other tasks of an old number
      assert.equal(waited(), 9000)
      list([])
      assert.equal(waited(), 9000)
    })
  })

  void test('skips a task that ended after it was listed', () => {
    withGroup(({ waited, tell, list }) => {
      list([10, 11])
      tell({ 10: 1, 11: 1 })
      waited()
      tell({ 11: 3 })
      assert.equal(waited(), 2000)
    })
  })

  void test('has the tasks of the groups right below', () => {
    withGroup(({ waited, tell, list }) => {
      list([])
      list([10], 'c1')
      list([11], 'c2')
      tell({ 10: 1, 11: 1 })
      waited()
      tell({ 10: 2, 11: 4 })
      assert.equal(waited(), 4000)
    })
  })

  void test('of many tasks is that of the first 64, for all', () => {
    withGroup(({ waited, tell, list }) => {
      const ids = upTo(128)
      list(ids)
      const all = (millis: number) =>
        Object.fromEntries(ids.map((id) => [id, id > 64 ? 0 : millis]))
      tell(all(1))
      assert.equal(waited(), 0)
      tell(all(2))
      assert.equal(waited(), 128_000)
    })
  })

  void test('is unknown where no task can be seen, or none is counted', () => {
    withGroup(({ waited, tell, list, folder }) => {
      list([])
      assert.equal(waited(), undefined)
      list([10])
      assert.equal(waited(), undefined)
      tell({ 10: 1 })
      writeFileSync(join(folder, '..', 'proc', '10', 'schedstat'), '0 0 0\n')
      assert.equal(waited(), undefined)
      tell({ 10: 1 })
      assert.equal(waited(), 0)
    })
  })

  void test('of a group that is gone is refused as such', () => {
    withGroup(({ waited, folder }) => {
      rmSync(folder, { recursive: true })
      assert.throws(waited, Gone)
    })
  })
})
