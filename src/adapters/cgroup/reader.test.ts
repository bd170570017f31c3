import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'

import { asNobody } from '../../../test/as-nobody.ts'
import { each } from '../../../test/each.ts'
import { plant, planted, type Planted } from '../../../test/fixtures/cgroup/plant.ts'
import { openCgroups } from './reader.ts'

type Reader = ReturnType<typeof openCgroups>

const limited = { atMicros: 7, quotaMicros: 20_000, periodMicros: 100_000 }
const bursts = { burstLimitMicros: 20_000, burstPeriods: 1, burstMicros: 20_000 }
const onV1 = {
  ...limited,
  usageMicros: 541_911,
  periods: 28,
  throttledPeriods: 26,
  throttledMicros: 1_974_696,
  weight: 204,
}
const onV2 = {
  ...limited,
  ...bursts,
  usageMicros: 548_167,
  periods: 29,
  throttledPeriods: 26,
  throttledMicros: 2_035_387,
  weight: 8,
}
const unlimited = {
  atMicros: 7,
  usageMicros: 2_486_439,
  periods: 0,
  throttledPeriods: 0,
  throttledMicros: 0,
  burstPeriods: 0,
  burstMicros: 0,
  quotaMicros: null,
  periodMicros: 100_000,
  burstLimitMicros: 0,
  weight: 39,
}
const plantedPod = { podUid: planted.podUid, qosClass: planted.qosClass }

function withTree(
  tree: string,
  use: (reader: Reader, planted: Planted) => void,
  options: Parameters<typeof openCgroups>[0] = {},
): void {
  const place = plant(tree)
  try {
    const reader = openCgroups({ mount: place.mount, nowMicros: () => 7, ...options })
    use(reader, place)
    reader.close()
  } finally {
    place.uproot()
  }
}

const openFiles = (): number => readdirSync('/proc/self/fd').length

void describe('reading recorded cgroups', () => {
  each(
    [
      {
        name: 'v1, cpu and cpuacct apart, cgroupfs, containerd',
        tree: 'v1-cgroupfs-containerd',
        gives: { ...onV1, ...bursts },
      },
      {
        name: 'v1, cpu and cpuacct together, systemd, CRI-O',
        tree: 'v1-comounted-systemd-crio',
        gives: { ...onV1, ...bursts },
      },
      { name: 'v2, systemd, containerd', tree: 'v2-systemd-containerd', gives: onV2 },
      {
        name: 'v2, systemd, CRI-O, Guaranteed, no limit',
        tree: 'v2-systemd-crio-guaranteed',
        qosClass: 'Guaranteed' as const,
        gives: unlimited,
      },
      {
        name: 'v2, systemd, below the cgroupRoot of the kubelet',
        tree: 'v2-systemd-kubelet-root',
        root: '/kubelet',
        gives: onV2,
      },
      {
        name: 'v2, cgroupfs, a node inside a container',
        tree: 'v2-cgroupfs-nested',
        root: '/docker/node-1/kubelet',
        qosClass: 'BestEffort' as const,
        gives: unlimited,
      },
    ],
    ({ tree, root = '/', qosClass = 'Burstable' as const, gives }) => {
      const read = (reader: Reader) => {
        assert.equal(reader.driver?.(), undefined)
        assert.deepEqual(reader.read({ ...planted, qosClass }), gives)
        assert.equal(reader.driver?.(), tree.includes('systemd') ? 'systemd' : 'cgroupfs')
      }
      withTree(tree, read, { kubeletRoot: root })
    },
  )

  each(
    [
      { name: 'a pod on v1', tree: 'v1-cgroupfs-containerd', place: plantedPod, weight: 512 },
      { name: 'a pod on v2', tree: 'v2-systemd-containerd', place: plantedPod, weight: 20 },
      {
        name: 'a plain group by its path',
        tree: 'v1-cgroupfs-containerd',
        place: { path: `kubepods/burstable/pod${planted.podUid}` },
        weight: 512,
      },
    ],
    ({ tree, place, weight }) =>
      withTree(tree, (reader) => {
        const reading = reader.read(place)
        assert.equal(reading?.quotaMicros, 50_000)
        assert.equal(reading.throttledPeriods, 0)
        assert.equal(reading.weight, weight)
      }),
  )

  void test('a kernel without burst is read without it', () => {
    withTree('v1-cgroupfs-containerd', (reader, { pathOf }) => {
      rmSync(pathOf('cpu.cfs_burst_us'))
      writeFileSync(
        pathOf('cpu.stat'),
        'nr_periods 28\nnr_throttled 26\nthrottled_time 1974696291\n',
      )
      const none = { burstPeriods: undefined, burstMicros: undefined, burstLimitMicros: undefined }
      assert.deepEqual(reader.read(planted), { ...onV1, ...none })
    })
  })

  each(
    [
      { name: 'v1, of a pod', tree: 'v1-cgroupfs-containerd', place: plantedPod, shares: 512 },
      { name: 'v1, of a container', tree: 'v1-cgroupfs-containerd', place: planted, shares: 204 },
      { name: 'v2, of a pod', tree: 'v2-systemd-containerd', place: plantedPod, shares: 501 },
      { name: 'v2, of a container', tree: 'v2-systemd-containerd', place: planted, shares: 186 },
    ],
    ({ tree, place, shares }) =>
      withTree(tree, (reader) => assert.equal(reader.weightOf?.(place), shares)),
  )

  void test('a weight is read afresh each time, and 0 of an idle group', () => {
    withTree('v2-systemd-containerd', (reader, { pathOf }) => {
      reader.read(planted)
      writeFileSync(pathOf('cpu.weight'), '79\n')
      assert.equal(reader.weightOf?.(planted), 2047)
      writeFileSync(pathOf('cpu.weight'), '0\n')
      assert.equal(reader.weightOf?.(planted), 0)
      assert.equal(reader.weightOf?.({ ...planted, containerId: 'containerd://other' }), undefined)
    })
  })

  void test('the quota of a pod is read again after a second, and at once when it is said to be stale', () => {
    let now = 0
    const look = (reader: Reader, { pathOf }: Planted) => {
      const file = join(dirname(dirname(pathOf('cpu.max'))), 'cpu.max')
      const quota = () => reader.quotaOf?.(plantedPod)?.quotaMicros
      const before = quota()
      writeFileSync(file, '77000 100000\n')
      now = 1e6 - 1
      assert.equal(quota(), before)
      now += 1
      assert.equal(quota(), 77_000)
      writeFileSync(file, 'max 100000\n')
      assert.equal(quota(), 77_000)
      reader.stale(plantedPod)
      assert.equal(quota(), null)
      assert.equal(reader.quotaOf?.({ ...plantedPod, podUid: 'other' }), undefined)
    }
    withTree('v2-systemd-containerd', look, { nowMicros: () => now })
  })

  void test('waiting is pressure on v2 where no task can be seen, and unknown on v1', () => {
    withTree('v2-systemd-containerd', (reader, { pathOf }) => {
      writeFileSync(join(dirname(pathOf('cpu.stat')), 'cgroup.threads'), '')
      assert.equal(reader.waiting?.(planted), 2_046_386)
      reader.forget(planted)
      rmSync(pathOf('cpu.pressure'))
      assert.equal(reader.waiting?.(planted), undefined)
      assert.equal(reader.read(planted)?.periods, 29)
      assert.equal(reader.waiting?.({ path: 'other' }), undefined)
    })
    withTree('v1-cgroupfs-containerd', (reader, { pathOf }) => {
      const tasks = join(dirname(pathOf('cpu.shares')), 'tasks')
      writeFileSync(tasks, '')
      assert.equal(reader.waiting?.(planted), undefined)
      writeFileSync(tasks, `${process.pid}\n`)
      assert.equal(reader.waiting?.(planted), 0)
    })
  })

  void test('the machine has what its root group used, by the clock of the readings', () => {
    withTree('v1-cgroupfs-containerd', (reader, { mount }) => {
      writeFileSync(join(mount, 'cpuacct', 'cpuacct.usage'), '5000000\n')
      assert.deepEqual(reader.machine?.(), { atMicros: 7, usageMicros: 5000 })
    })
  })

  void test('a quota that was written is read at once where that is said', () => {
    withTree('v2-systemd-containerd', (reader, { pathOf }) => {
      const before = reader.read(planted)?.quotaMicros
      writeFileSync(pathOf('cpu.max'), '150000 100000\n')
      assert.equal(reader.read(planted)?.quotaMicros, before)
      reader.stale(planted)
      assert.equal(reader.read(planted)?.quotaMicros, 150_000)
    })
  })

  each(
    [
      {
        name: 'a quota is read again after a second',
        file: 'cpu.max',
        text: '150000 100000\n',
        field: 'quotaMicros' as const,
        values: [20_000, 150_000],
        seconds: 1,
      },
      {
        name: 'what changes more seldom is after ten',
        file: 'cpu.weight',
        text: '79\n',
        field: 'weight' as const,
        values: [8, 79],
        seconds: 10,
      },
    ],
    ({ file, text, field, values, seconds }) => {
      let now = 0
      const read = (reader: Reader, { pathOf }: Planted) => {
        const [before, after] = values
        assert.equal(reader.read(planted)?.[field], before)
        writeFileSync(pathOf(file), text)
        now = seconds * 1e6 - 1
        assert.equal(reader.read(planted)?.[field], before)
        now += 1
        assert.equal(reader.read(planted)?.[field], after)
      }
      withTree('v2-systemd-containerd', read, { nowMicros: () => now })
    },
  )

  each(
    [
      { name: 'while it uses less than a twentieth of it', used: 1000, sees: [0, 0] },
      { name: 'unless that lasts for a second', used: 1000, later: 1_000_000, sees: [0, 1] },
      { name: 'but not when it uses more', used: 5000, sees: [1, 1] },
      { name: 'nor the first time that it does not', noisy: 5000, used: 1000, sees: [1, 1] },
    ],
    ({ used, noisy = 0, later = 250_000, sees }) => {
      let now = 0
      const read = (reader: Reader, { pathOf }: Planted) => {
        let usage = 541_911_000
        const look = (micros: number, after: number): number => {
          now += after
          usage += micros * 1000
          writeFileSync(pathOf('cpuacct.usage'), `${usage}\n`)
          return (reader.read(planted)?.throttledPeriods ?? NaN) - onV1.throttledPeriods
        }
        for (const micros of [0, 0, noisy]) look(micros, 250_000)
        writeFileSync(
          pathOf('cpu.stat'),
          'nr_periods 29\nnr_throttled 27\nthrottled_time 1974696291\n',
        )
        assert.deepEqual([look(used, 250_000), look(used, later)], sees)
      }
      withTree('v1-cgroupfs-containerd', read, { nowMicros: () => now })
    },
  )

  void test('a container that is not there is no error', () => {
    withTree('v1-cgroupfs-containerd', (reader) => {
      assert.equal(reader.read({ ...planted, containerId: 'containerd://other' }), undefined)
    })
  })

  void test('descriptors are kept from read to read, and closed with the container', () => {
    const before = openFiles()
    withTree('v1-cgroupfs-containerd', (reader) => {
      for (let i = 0; i < 3; i += 1) reader.read(planted)
      assert.equal(openFiles() - before, 6)
      reader.forget(planted)
      assert.equal(openFiles(), before)
    })
    withTree('v2-systemd-containerd', (reader) => reader.read(planted))
    assert.equal(openFiles(), before)
  })

  void test('half a cgroup, as on its way in or out, is none', () => {
    const before = openFiles()
    withTree('v2-systemd-containerd', (reader, { pathOf }) => {
      rmSync(pathOf('cpu.max'))
      assert.equal(reader.read(planted), undefined)
      assert.equal(openFiles(), before)
      rmSync(dirname(pathOf('cpu.stat')), { recursive: true })
      assert.equal(reader.read(planted), undefined)
    })
  })

  void test('what cannot be parsed names the container, the file and the field', () => {
    withTree('v2-systemd-containerd', (reader, { pathOf }) => {
      writeFileSync(pathOf('cpu.stat'), 'usage_usec 5')
      const says =
        /^reading the cgroup of containerd:\/\/4e1f.*: parsing cpu.stat: usage_usec: expected a whole line/
      assert.throws(() => reader.read(planted), { message: says })
    })
  })

  void test('what may not be read is told with the remedy', () => {
    withTree('v2-systemd-containerd', (reader, { mount, pathOf }) => {
      chmodSync(mount, 0o755)
      chmodSync(pathOf('cpu.stat'), 0)
      const message = /reading the cgroup of containerd:.*cpu.stat: EACCES; run as root$/
      asNobody(() => assert.throws(() => reader.read(planted), { message }))
    })
  })

  void test('a mount without CPU cgroups is refused with what to do', () => {
    const mount = mkdtempSync(join(tmpdir(), 'mbcas-cgroup-'))
    assert.throws(() => openCgroups({ mount }), {
      name: 'InvalidInput',
      message: /got neither; give the mount point with --cgroup-mount/,
    })
    rmSync(mount, { recursive: true })
  })
})
