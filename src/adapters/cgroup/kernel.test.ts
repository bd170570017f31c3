/** A busy loop at 20 % of a CPU on the real kernel (cgroup v1), seen through the reader. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { ratesBetween } from '../../core/demand/rates.ts'
import { findHierarchy } from './hierarchy.ts'
import { openCgroups } from './reader.ts'

/** A kubelet's tree of its own, beside that of a cluster that may run here. */
const kubeletRoot = `mbcas-test-${process.pid}`
const place = { podUid: 'u-1', qosClass: 'Burstable', containerId: 'containerd://c1' } as const
const path = join(kubeletRoot, 'kubepods', 'burstable', 'podu-1', 'c1')

function v1Folders(): { readonly folders: string[] } | { readonly skip: string } {
  try {
    const found = findHierarchy('/sys/fs/cgroup')
    if (found.version === 2) return { skip: 'the CPU controller of this kernel is cgroup v2' }
    const folders = [...new Set([found.cpu, found.cpuacct])]
    for (const folder of folders) accessSync(folder, constants.W_OK)
    return { folders: folders.map((folder) => join(folder, path)) }
  } catch (error) {
    return { skip: `needs root and a CPU cgroup: ${(error as Error).message}` }
  }
}

/** From the leaf up to our root. */
async function removeGroups(leaf: string): Promise<void> {
  let folder = leaf
  for (const _level of path.split('/')) {
    await removeGroup(folder)
    folder = dirname(folder)
  }
}

/** A group that a process just left is busy for a moment. */
async function removeGroup(folder: string, tries = 100): Promise<void> {
  try {
    rmdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY' || tries === 0) throw error
    await sleep(10)
    await removeGroup(folder, tries - 1)
  }
}

void describe('reading the real kernel', () => {
  const found = v1Folders()
  const skip = 'skip' in found ? found.skip : false
  void test('a busy loop at 20 % uses 0.2 core and is throttled', { skip }, async () => {
    const folders = 'folders' in found ? found.folders : []
    const reader = openCgroups({ kubeletRoot })
    for (const folder of folders) mkdirSync(folder, { recursive: true })
    const join = folders.map((folder) => `echo $$ > ${folder}/cgroup.procs`).join('; ')
    writeFileSync(`${folders[0]}/cpu.cfs_quota_us`, '20000')
    // Before all else on the machine, so that the quota alone holds it back.
    writeFileSync(`${folders[0]}/../../../../cpu.shares`, '262144')
    const busy = spawn('sh', ['-c', `${join}; while :; do :; done`], { stdio: 'ignore' })
    const ended = new Promise((resolve) => busy.once('exit', resolve))
    try {
      await sleep(300)
      const before = reader.read(place)
      await sleep(2000)
      const after = reader.read(place)
      assert.ok(before !== undefined && after !== undefined)
      assert.equal(after.quotaMicros, 20_000)
      const measured = ratesBetween(before, after, availableParallelism())
      assert.ok('rates' in measured)
      const { usageCores, throttledRatio, throttledCores, limitCores } = measured.rates
      assert.equal(limitCores, 0.2)
      assert.ok(usageCores > 0.12 && usageCores < 0.25, `usage ${usageCores}`)
      assert.ok(throttledRatio > 0.5, `throttled ${throttledRatio}`)
      assert.ok(throttledCores > 0.1, `waited ${throttledCores}`)
    } finally {
      busy.kill('SIGKILL')
      await ended
      for (const folder of folders) await removeGroups(folder)
    }
    assert.equal(reader.read(place), undefined)
    reader.close()
  })
})
