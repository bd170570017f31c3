import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { plant, planted, type Planted } from '../../../test/fixtures/cgroup/plant.ts'
import type { CgroupReader } from '../../ports/cgroup.ts'
import { openCgroups, type CgroupOptions } from './reader.ts'

const expected = {
  atMicros: 7,
  usageMicros: 500_154,
  periods: 26,
  throttledPeriods: 25,
  throttledMicros: 1_098_253,
  quotaMicros: 20_000,
  periodMicros: 100_000,
}

function withTree(
  tree: string,
  use: (reader: CgroupReader, planted: Planted) => void,
  options: CgroupOptions = {},
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
        gives: { ...expected, weight: 204 },
      },
      {
        name: 'v1, cpu and cpuacct together, systemd, CRI-O',
        tree: 'v1-comounted-systemd-crio',
        gives: { ...expected, weight: 204 },
      },
      {
        name: 'v2, systemd, containerd',
        tree: 'v2-systemd-containerd',
        gives: { ...expected, weight: 8 },
      },
      {
        name: 'v2, systemd, CRI-O, Guaranteed, no limit',
        tree: 'v2-systemd-crio-guaranteed',
        qosClass: 'Guaranteed' as const,
        gives: { ...expected, quotaMicros: null, weight: 8 },
      },
      {
        name: 'v2, systemd, below the cgroupRoot of the kubelet',
        tree: 'v2-systemd-kubelet-root',
        root: '/kubelet',
        gives: { ...expected, weight: 8 },
      },
      {
        name: 'v2, cgroupfs, a node inside a container',
        tree: 'v2-cgroupfs-nested',
        root: '/docker/node-1/kubelet',
        qosClass: 'BestEffort' as const,
        gives: { ...expected, quotaMicros: null, weight: 8 },
      },
    ],
    ({ tree, root = '/', qosClass = 'Burstable' as const, gives }) => {
      const read = (reader: CgroupReader) =>
        assert.deepEqual(reader.read({ ...planted, qosClass }), gives)
      withTree(tree, read, { kubeletRoot: root })
    },
  )

  void test('every read sees what the file says then', () => {
    withTree('v2-systemd-containerd', (reader, { pathOf }) => {
      reader.read(planted)
      writeFileSync(pathOf('cpu.max'), '150000 100000\n')
      assert.equal(reader.read(planted)?.quotaMicros, 150_000)
    })
  })

  void test('a container that is not there is no error', () => {
    withTree('v1-cgroupfs-containerd', (reader) => {
      assert.equal(reader.read({ ...planted, containerId: 'containerd://other' }), undefined)
    })
  })

  void test('descriptors are kept from read to read, and closed with the container', () => {
    const before = openFiles()
    withTree('v1-cgroupfs-containerd', (reader) => {
      for (let i = 0; i < 3; i += 1) reader.read(planted)
      assert.equal(openFiles() - before, 5)
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

  void test('a mount without CPU cgroups is refused with what to do', () => {
    const mount = mkdtempSync(join(tmpdir(), 'mbcas-cgroup-'))
    assert.throws(() => openCgroups({ mount }), {
      name: 'InvalidInput',
      message: /got neither; give the mount point with --cgroup-mount/,
    })
    rmSync(mount, { recursive: true })
  })
})
