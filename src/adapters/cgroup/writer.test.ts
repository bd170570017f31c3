/** What a writer says, on recorded trees; what the kernel makes of it: kernel.test.ts. */
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'

import { plant, planted, type Planted } from '../../../test/fixtures/cgroup/plant.ts'
import type { CgroupWriter } from '../../ports/cgroup.ts'
import { openCgroupWriter } from './writer.ts'

function withTree(tree: string, use: (writer: CgroupWriter, planted: Planted) => void): void {
  const place = plant(tree)
  try {
    use(openCgroupWriter({ mount: place.mount }), place)
  } finally {
    place.uproot()
  }
}

const { containerId } = planted

void describe('writing recorded cgroups', () => {
  void test('the settings of v1 and v2 are told alike', () => {
    const limited = { quotaMicros: 20_000, periodMicros: 100_000, burstMicros: 20_000 }
    withTree('v1-cgroupfs-containerd', (writer) =>
      assert.deepEqual(writer.settings(planted), { ...limited, shares: 204 }),
    )
    withTree('v2-systemd-containerd', (writer) =>
      assert.deepEqual(writer.settings(planted), { ...limited, shares: 186 }),
    )
  })

  void test('every value that was changed is told in words, in the order of writing', () => {
    withTree('v1-comounted-systemd-crio', (writer) => {
      const change = { place: planted, quotaMicros: null, burstMicros: 0, shares: 2048 }
      assert.deepEqual(writer.write([change]), {
        wrote: [
          `cpu.cfs_burst_us of ${containerId} from 20000 to 0`,
          `cpu.cfs_quota_us of ${containerId} from 20000 to -1`,
          `cpu.shares of ${containerId} from 204 to 2048`,
        ],
        refused: [],
      })
    })
    withTree('v2-systemd-containerd', (writer, { pathOf }) => {
      assert.deepEqual(
        writer.write([{ place: planted, quotaMicros: 30_000, shares: 2048 }]).wrote,
        [
          `cpu.max of ${containerId} from 20000 to 30000`,
          `cpu.weight of ${containerId} from 8 to 79`,
        ],
      )
      assert.equal(readFileSync(pathOf('cpu.max'), 'utf8'), '30000 100000\n')
    })
  })

  void test('shares that come to the same weight are no change', () => {
    withTree('v2-systemd-containerd', (writer) =>
      assert.deepEqual(writer.write([{ place: planted, shares: 204 }]).wrote, []),
    )
  })

  void test('before the first write all that will stand there is told', () => {
    withTree('v1-cgroupfs-containerd', (writer) => {
      const told: object[] = []
      const now = { shares: 204, quotaMicros: 20_000, periodMicros: 100_000, burstMicros: 20_000 }
      writer.write(
        [{ place: planted, quotaMicros: 300_000, periodMicros: 1_000_000 }],
        (planned) => {
          told.push(...planned)
          assert.deepEqual(writer.settings(planted), now)
        },
      )
      const longer = { ...now, periodMicros: 1_000_000 }
      const [{ states, id }] = told as [{ states: object[]; id: string }]
      assert.deepEqual(states, [now, longer, { ...longer, quotaMicros: 300_000 }])
      assert.equal(id, writer.identityOf(planted))
    })
  })

  void test('where nothing changes, nothing is told', () => {
    withTree('v1-cgroupfs-containerd', (writer) => {
      const change = { place: planted, quotaMicros: 20_000 }
      writer.write([change], () => assert.fail('told'))
    })
  })

  void test('what is thrown on the way to the first write keeps all as it is', () => {
    withTree('v1-cgroupfs-containerd', (writer) => {
      const before = writer.settings(planted)
      const full = (): void => {
        throw new Error('ENOSPC')
      }
      assert.throws(() => writer.write([{ place: planted, quotaMicros: 30_000 }], full), /ENOSPC/)
      assert.deepEqual(writer.settings(planted), before)
    })
  })

  void test('a group that is missing does not keep the others from being written', () => {
    withTree('v2-systemd-containerd', (writer) => {
      const other = { ...planted, containerId: 'containerd://other' }
      const changes = [other, planted].map((place) => ({ place, burstMicros: 10_000 }))
      const { wrote, refused } = writer.write(changes)
      assert.equal(wrote.length, 1)
      assert.deepEqual(refused, ['containerd://other has no cgroup: not yet, or no longer'])
    })
  })

  void test('a group without the cpu controller has no settings, and the remedy is told', () => {
    withTree('v2-systemd-containerd', (writer, { pathOf }) => {
      for (const name of ['cpu.max', 'cpu.max.burst', 'cpu.weight']) rmSync(pathOf(name))
      assert.equal(writer.settings(planted), undefined)
      assert.equal(writer.whyReadOnly(planted), undefined)
      assert.match(writer.whyUnwritable(planted) ?? '', /write \+cpu to cgroup.subtree_control/)
    })
  })

  void test('what cannot be parsed names the group, and nothing is written', () => {
    withTree('v2-systemd-containerd', (writer, { pathOf }) => {
      writeFileSync(pathOf('cpu.max'), 'ma')
      const message =
        /^reading the cgroup of containerd:.*: parsing cpu.max: expected one whole line/
      assert.throws(() => writer.write([{ place: planted, quotaMicros: 1000 }]), { message })
      assert.equal(readFileSync(pathOf('cpu.max'), 'utf8'), 'ma')
    })
  })
})
