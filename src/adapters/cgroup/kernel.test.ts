/**
 * Reading and writing on the kernel itself: cgroup v1 or v2, whichever it has. Runs here, and in QEMU
 * on a kernel with v2 (test/e2e/cgroup-v2.test.ts).
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { asNobody } from '../../../test/as-nobody.ts'
import { testCpusets } from '../../../test/cgroup/cpusets.ts'
import { testWriting } from '../../../test/cgroup/writing.ts'
import { makeCgroup, removeCgroup } from '../../../test/kubernetes/cgroups.ts'
import { until } from '../../../test/until.ts'
import { sharesOfWeight } from '../../core/cgroup/weight.ts'
import type { CgroupPlace, CpuChange } from '../../ports/cgroup.ts'
import { findHierarchy, foldersOf, type Hierarchy, topOf } from './hierarchy.ts'
import { openCgroups } from './reader.ts'
import { openCgroupWriter } from './writer.ts'

/** A kubelet's tree of its own, beside that of a cluster that may run here. */
const kubeletRoot = `mbcas-test-${process.pid}`
const pod = { podUid: 'u-1', qosClass: 'Burstable' } as const
const container = { ...pod, containerId: 'containerd://c1' }
const podPath = join(kubeletRoot, 'kubepods', 'burstable', 'podu-1')
const containerPath = join(podPath, 'c1')
const free = [
  { place: container, quotaMicros: null, burstMicros: 0, shares: 1024 },
  { place: pod, quotaMicros: null, burstMicros: 0, shares: 1024 },
]

function findOurs(): { readonly hierarchy?: Hierarchy; readonly skip: string | false } {
  try {
    const hierarchy = findHierarchy('/sys/fs/cgroup')
    for (const folder of foldersOf(hierarchy)) accessSync(folder, constants.W_OK)
    return { hierarchy, skip: false }
  } catch (error) {
    return { skip: `needs root and a CPU cgroup: ${(error as Error).message}` }
  }
}

const { hierarchy, skip } = findOurs()
const folders = hierarchy === undefined ? [] : foldersOf(hierarchy)
const names =
  hierarchy?.version === 2
    ? { quotaMicros: 'cpu.max', burstMicros: 'cpu.max.burst', shares: 'cpu.weight', none: 'max' }
    : {
        quotaMicros: 'cpu.cfs_quota_us',
        burstMicros: 'cpu.cfs_burst_us',
        shares: 'cpu.shares',
        none: '-1',
      }

/** The kernel's own answer to a write, past the code under test. */
function kernelSays(path: string, file: string, text: string): string {
  try {
    writeFileSync(join(folders[0] ?? '', path, file), text, { flag: 'r+' })
    return 'accepted'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

/** Loops that never rest in the group, while `look` looks. */
async function whileBusy(path: string, look: () => Promise<void>, loops = 1): Promise<void> {
  const join = folders.map((folder) => `echo $$ > ${folder}/${path}/cgroup.procs`).join('; ')
  const start = () => spawn('sh', ['-c', `${join}; while :; do :; done`], { stdio: 'ignore' })
  const busy = Array.from({ length: loops }, start)
  const ended = busy.map(async (one) => new Promise((resolve) => one.once('exit', resolve)))
  try {
    await look()
  } finally {
    for (const one of busy) one.kill('SIGKILL')
    await Promise.all(ended)
  }
}

void describe('cgroups on the real kernel', { skip }, () => {
  const reader = openCgroups({ kubeletRoot })
  const writer = openCgroupWriter({ kubeletRoot, onWrite: reader.stale })
  const write = (...changes: CpuChange[]): readonly string[] => {
    const { wrote, refused } = writer.write(changes)
    assert.deepEqual(refused, [])
    return wrote
  }
  const read = (place: CgroupPlace) => {
    const reading = reader.read(place)
    assert.ok(reading !== undefined)
    return reading
  }

  before(() => {
    makeCgroup(containerPath)
    // The first quota of a kernel and the last one patch its code: slow in QEMU, so one stays.
    const still = { path: join(kubeletRoot, 'still') }
    makeCgroup(still.path)
    write({ place: still, quotaMicros: 1000 })
  })
  after(async () => {
    reader.close()
    await removeCgroup(kubeletRoot)
  })

  void test('a busy loop at 20 % uses 0.2 core and is throttled at the level that binds', async () => {
    // Before all else on the machine, so that the quota alone holds it back.
    const most = { shares: 262_144 }
    write({ place: { path: kubeletRoot }, ...most }, { place: pod, ...most })
    write({ place: pod, quotaMicros: 100_000 }, { place: container, quotaMicros: 20_000 })
    await whileBusy(containerPath, async () => {
      const [first, podFirst] = [read(container), read(pod)]
      const isBound = () => read(container).throttledPeriods >= first.throttledPeriods + 20
      await until('20 throttled periods', isBound, () => read(container))
      const [last, podLast] = [read(container), read(pod)]
      const cores = (last.usageMicros - first.usageMicros) / (last.atMicros - first.atMicros)
      assert.ok(cores < 0.25, `usage ${cores}`)
      assert.ok(last.usageMicros - first.usageMicros > 300_000) // 20 ms in each of them
      assert.ok(last.periods - first.periods >= 20)
      assert.ok(last.throttledMicros > first.throttledMicros)
      assert.equal(last.quotaMicros, 20_000)
      assert.ok(podLast.usageMicros - podFirst.usageMicros > 200_000)
      assert.equal(podLast.throttledPeriods, podFirst.throttledPeriods)
    })
  })

  void test('two loops per CPU wait for it, which both the pod and the container show', async () => {
    write(...free)
    const waited = (place: CgroupPlace) => reader.waiting?.(place) ?? NaN
    const loops = 2 * availableParallelism()
    await whileBusy(
      containerPath,
      async () => {
        await until(
          'waiting',
          () => waited(container) > 0,
          () => waited(container),
        )
        const first = [container, pod].map(waited)
        const enough = () =>
          [container, pod].every((at, i) => waited(at) > (first[i] ?? 0) + 200_000)
        await until('200 ms of waiting', enough, () => [container, pod].map(waited))
      },
      loops,
    )
    const last = waited(container)
    await sleep(50)
    assert.equal(waited(container), last)
  })

  void test('loops that wait beside each other wait for more time than passes, on v2 too', async () => {
    write(...free)
    const waited = () => reader.waiting?.(container) ?? NaN
    const isWaiting = async () => {
      await until('waiting', () => waited() > 0, waited)
      const [first, began] = [waited(), performance.now()]
      const ratio = () => (waited() - first) / 1000 / (performance.now() - began)
      await until('more waiting than time', () => ratio() > 1.5, ratio)
    }
    await whileBusy(containerPath, isWaiting, 3 * availableParallelism())
  })

  void test('a machine uses what its groups do, and more', async () => {
    write(...free)
    await whileBusy(containerPath, async () => {
      const used = () => (reader.machine?.()?.usageMicros ?? NaN) - (first?.usageMicros ?? NaN)
      const first = reader.machine?.()
      await until('100 ms of use', () => used() > 100_000, used)
      const { atMicros = NaN } = reader.machine?.() ?? {}
      const most = availableParallelism() * (atMicros - (first?.atMicros ?? NaN))
      assert.ok(used() <= 1.2 * most + 100_000, `${used()} of ${most}`)
    })
  })

  void test('a weight that anybody writes is seen at once', () => {
    write({ place: pod, shares: 2048 }, { place: container, shares: 512 })
    const isV2 = hierarchy?.version === 2
    assert.equal(reader.weightOf?.(pod), isV2 ? sharesOfWeight(79) : 2048)
    assert.equal(reader.weightOf?.(pod), writer.settings(pod)?.shares)
    assert.equal(kernelSays(containerPath, names.shares, '100'), 'accepted')
    assert.equal(reader.weightOf?.(container), isV2 ? sharesOfWeight(100) : 100)
    assert.equal(kernelSays(containerPath, 'cpu.idle', '1'), 'accepted')
    assert.equal(reader.weightOf?.(container), isV2 ? 0 : 3)
    assert.equal(kernelSays(containerPath, 'cpu.idle', '0'), 'accepted')
    assert.equal(reader.weightOf?.({ path: join(kubeletRoot, 'none') }), undefined)
    write(...free)
  })

  void test('what was saved is spent as burst, and counted', async () => {
    write(...free)
    write({ place: container, quotaMicros: 20_000, burstMicros: 20_000 })
    await sleep(300) // saves what it does not use
    const { burstPeriods = 0, burstMicros = 0 } = read(container)
    await whileBusy(containerPath, async () => {
      const last = () => read(container)
      await until('a burst', () => (last().burstPeriods ?? 0) > burstPeriods, last)
      assert.ok((last().burstMicros ?? 0) > burstMicros)
      assert.equal(last().burstLimitMicros, 20_000)
    })
  })

  testWriting({
    open: () => openCgroupWriter({ kubeletRoot }),
    pod,
    container,
    kernelSays: (place, setting, to) => {
      const path = 'containerId' in place ? containerPath : podPath
      return kernelSays(path, names[setting], to === null ? names.none : String(to))
    },
    isV1: hierarchy?.version === 1,
  })

  if (hierarchy !== undefined) {
    testCpusets({ mount: '/sys/fs/cgroup', cpu: topOf(hierarchy), isV1: hierarchy.version === 1 })
  }

  void test('a group made anew under the same name is no group once, then counts from zero', () => {
    const path = join(podPath, 'c2')
    const place = { ...pod, containerId: 'containerd://c2' }
    const make = () => folders.forEach((folder) => mkdirSync(join(folder, path)))
    const remove = () => folders.forEach((folder) => rmdirSync(join(folder, path)))
    make()
    assert.equal(reader.read(place)?.periods, 0)
    remove()
    make()
    assert.equal(reader.read(place), undefined)
    assert.equal(reader.read(place)?.periods, 0)
    remove()
    assert.equal(reader.read(place), undefined)
    assert.equal(reader.weightOf?.(place), undefined)
    assert.equal(writer.settings(place), undefined)
  })

  void test('a group made anew is no group once to who reads it, whoever noticed first', () => {
    const path = join(podPath, 'c5')
    const make = () => folders.forEach((folder) => mkdirSync(join(folder, path)))
    const remove = () => folders.forEach((folder) => rmdirSync(join(folder, path)))
    make()
    assert.equal(reader.read({ path })?.periods, 0)
    assert.ok((reader.weightOf?.({ path }) ?? 0) > 0)
    remove()
    make()
    assert.equal(reader.weightOf?.({ path }), undefined)
    assert.ok((reader.weightOf?.({ path }) ?? 0) > 0)
    assert.equal(reader.read({ path }), undefined)
    assert.equal(reader.read({ path })?.periods, 0)
    remove()
    reader.forget({ path })
  })

  void test('a group keeps its identity under another name, and one made anew has another', (t) => {
    const [path, other] = [join(podPath, 'c3'), join(podPath, 'c4')]
    const make = (at: string) => folders.forEach((folder) => mkdirSync(join(folder, at)))
    const remove = (at: string) => folders.forEach((folder) => rmdirSync(join(folder, at)))
    make(path)
    const identity = writer.identityOf({ path }) ?? ''
    assert.match(identity, /^\d+$/)
    assert.equal(writer.pathOf(identity), path)
    if (hierarchy?.version === 2) {
      assert.throws(() => renameSync(join(topOf(hierarchy), path), join(topOf(hierarchy), other)))
      t.diagnostic('this kernel renames no group')
    } else {
      folders.forEach((folder) => renameSync(join(folder, path), join(folder, other)))
      assert.equal(writer.identityOf({ path }), undefined)
      assert.equal(writer.identityOf({ path: other }), identity)
      assert.equal(writer.pathOf(identity), other)
      folders.forEach((folder) => renameSync(join(folder, other), join(folder, path)))
    }
    remove(path)
    assert.equal(writer.pathOf(identity), undefined)
    make(path)
    assert.notEqual(writer.identityOf({ path }), identity)
    remove(path)
  })

  void test('what is missing of a group is told', () => {
    const path = join(podPath, 'half')
    for (const [i, folder] of folders.entries()) {
      assert.match(reader.whyNone?.({ path }) ?? '', new RegExp(`${folder}/${path} .*not there`))
      if (i > 0)
        assert.match(reader.whyNone?.({ path }) ?? '', /needs its folder.* in both cpu and cpuacct/)
      mkdirSync(join(folder, path))
    }
    assert.equal(reader.whyNone?.({ path }), undefined)
    folders.forEach((folder) => rmdirSync(join(folder, path)))
  })

  void test('without the right to write it reads, and says what is missing', () => {
    asNobody(() => {
      assert.ok(reader.read(container) !== undefined)
      const says = /EACCES, not permitted; run as root/
      assert.match(writer.whyReadOnly(container) ?? '', says)
      assert.match(writer.whyUnwritable(container) ?? '', says)
    })
  })

  void test('a read-only mount is told in words, and so is a write to it', () => {
    const mount = mkdtempSync(join(tmpdir(), 'mbcas-cgroup-'))
    const folder = hierarchy?.version === 2 ? mount : join(mount, 'cpu')
    mkdirSync(join(mount, 'cpuacct'))
    mkdirSync(folder, { recursive: true })
    const run = (...command: string[]) =>
      execFileSync(command[0] ?? '', command.slice(1), { stdio: 'pipe' })
    run('mount', '--bind', folders[0] ?? '', folder)
    try {
      run('mount', '-o', 'remount,bind,ro', folder)
      const behind = openCgroupWriter({ kubeletRoot, mount })
      const says = /EROFS, the cgroups are mounted read-only/
      assert.match(behind.whyReadOnly(container) ?? '', says)
      assert.match(behind.write([{ place: container, quotaMicros: 70_000 }]).refused.join(), says)
    } finally {
      run('umount', folder)
      rmSync(mount, { recursive: true })
    }
    assert.equal(writer.whyReadOnly(container), undefined)
  })
})
