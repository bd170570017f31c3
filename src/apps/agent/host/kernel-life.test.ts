/**
 * The whole life of groups on the kernel of this machine: cgroup v1 or v2, whichever it has. Runs here, and
 * in QEMU on a kernel with v2 (test/real/cgroup-v2.test.ts).
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'

import { assertLaw } from '../../../../test/cgroup/host-life.ts'
import { findOurs, lifeOnKernel } from '../../../../test/cgroup/kernel-life.ts'
import { each } from '../../../../test/each.ts'
import { thisBoot } from '../../../../test/host-machine.ts'
import { makeCgroup, removeCgroup } from '../../../../test/kubernetes/cgroups.ts'
import { openCpusets } from '../../../adapters/cgroup/cpusets.ts'
import { openCgroupWriter, openGroups } from '../../../adapters/cgroup/writer.ts'
import type { SettingChange } from '../../../core/cgroup/plan-writes.ts'
import { createWriting } from '../../../core/cgroup/write-changes.ts'
import { keepInMemory } from '../../../sim/kept-in-memory.ts'
import { openJournal } from './journal.ts'

const { hierarchy, skip } = findOurs()
const tree = `mbcas-life-${process.pid}`

const open = (keeper = keepInMemory(), writer = openCgroupWriter()) => {
  const cpusets = openCpusets('/sys/fs/cgroup')
  const machine = { ...thisBoot, startTicksOf: () => undefined }
  return { writer, journal: openJournal({ keeper, machine, writer, cpusets, log: () => {} }) }
}

void describe('what an agent found, or what somebody set since', { skip }, () => {
  after(async () => removeCgroup(tree))

  void test('is there at the end, wherever an agent ended before, on the real kernel', () => {
    if (hierarchy === undefined) return
    const ground = lifeOnKernel(hierarchy, tree)
    // The first quota of a kernel and the last one patch its code: slow in QEMU, so one stays.
    makeCgroup(`${tree}/still`)
    ground.set(`${tree}/still`, 'quotaMicros', 100_000)
    assertLaw(ground, 60)
  })

  void test('is there also where a group below has got a quota since, which v1 would hold it to', () => {
    const [above, below] = [`${tree}/above`, `${tree}/above/below`]
    makeCgroup(below)
    const { writer, journal } = open()
    const set = (path: string, change: SettingChange): void =>
      assert.deepEqual(writer.write([{ place: { path }, ...change }]).refused, [])
    set(above, { quotaMicros: 200_000 })
    const found = writer.settings({ path: above })
    const ours = { quotaMicros: 1_000_000, periodMicros: 1_000_000 }
    assert.deepEqual(journal.write([{ place: { path: above }, ...ours }]).refused, [])
    set(below, { quotaMicros: 50_000 })
    assert.equal(journal.restore(), true)
    assert.deepEqual(writer.settings({ path: above }), found)
  })

  each(
    [
      { name: 'was raised', found: [30_000, 10_000], ours: [80_000, 60_000] },
      { name: 'was lowered', found: [80_000, 60_000], ours: [30_000, 10_000] },
    ].map(({ name, ...row }) =>
      Object.assign(row, { name: `is there also where a group and one below it ${name}` }),
    ),
    ({ found, ours }) => {
      const paths = [`${tree}/outer`, `${tree}/outer/inner`]
      makeCgroup(paths[1] ?? '')
      const { writer, journal } = open()
      const changes = (quotas: readonly number[]) =>
        paths.map((path, i) => ({ place: { path }, quotaMicros: quotas[i] ?? null }))
      assert.deepEqual(writer.write(changes(found)).refused, [])
      // In either order, whichever of the two is first known.
      assert.deepEqual(journal.write(changes(ours).toReversed()).refused, [])
      assert.equal(journal.restore(), true)
      assert.deepEqual(
        paths.map((path) => writer.settings({ path })?.quotaMicros),
        found,
      )
    },
  )

  void test('is there after fifty ends in the middle of something', () => {
    const path = `${tree}/again`
    makeCgroup(path)
    const keeper = keepInMemory()
    const { writer } = open()
    const found = { quotaMicros: 100_000, periodMicros: 100_000, burstMicros: 5000, shares: 1024 }
    writer.write([{ place: { path }, ...found }])
    const first = writer.settings({ path })
    for (let i = 0; i < 50; i += 1) {
      const groups = openGroups({})
      let left = i % 6
      const apply: typeof groups.apply = (step) => {
        if (left === 0) throw new Error('killed')
        left -= 1
        return groups.apply(step)
      }
      const mortal = { ...writer, write: createWriting({ ...groups, apply }) }
      const change = {
        quotaMicros: 100_000 + i,
        periodMicros: 1_000_000,
        burstMicros: 0,
        shares: 2,
      }
      assert.throws(() => {
        open(keeper, mortal).journal.write([{ place: { path }, ...change }])
        throw new Error('killed')
      }, /killed/)
    }
    assert.equal(open(keeper).journal.restore(), true)
    assert.deepEqual(writer.settings({ path }), first)
  })
})
