/** What cpusets do to a process, on the kernel itself. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { openCpusets } from '../../src/adapters/cgroup/cpusets.ts'
import { planCpuset } from '../../src/core/cgroup/plan-cpuset.ts'
import { type CpuSet, parseCpuSet } from '../../src/core/cpu/cpu-set.ts'
import { makeCgroup, removeCgroup } from '../kubernetes/cgroups.ts'

export type CpusetGround = {
  readonly mount: string
  /** Of the hierarchy with the CPU controller. */
  readonly cpu: string
  readonly isV1: boolean
}

export const allowedOf = (pid: number | undefined): string =>
  /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? ''

export function testCpusets({ mount, cpu, isV1 }: CpusetGround): void {
  const tree = `mbcas-cpusets-${process.pid}`
  const path = `${tree}/db`
  const cpusets = openCpusets(mount)
  const pin = (path: string, cpus: CpuSet) => {
    const changes = planCpuset({ way: cpusets.wayTo(path), inherits: cpusets.inherits, cpus })
    return { changes, failure: changes.map(cpusets.write).find((said) => said !== undefined) }
  }

  void describe('cpusets on the real kernel', () => {
    let child: ChildProcess
    const killAtExit = (): void => void child.kill('SIGKILL')
    const all = allowedOf(process.pid)
    const [last = 0] = parseCpuSet(all).slice(-1)

    before(() => {
      child = spawn('sleep', ['86400'], { stdio: 'ignore' })
      process.once('exit', killAtExit)
      // v1 has a hierarchy for CPU alone, and its groups need not be in that of cpusets.
      if (isV1) mkdirSync(join(cpu, path), { recursive: true })
      else makeCgroup(path)
      writeFileSync(join(cpu, path, 'cgroup.procs'), String(child.pid))
    })
    after(async () => {
      killAtExit()
      process.off('exit', killAtExit)
      await removeCgroup(tree)
    })

    void test('a process of the group runs on the CPUs given, and where it did when it is undone', () => {
      assert.equal(cpusets.whyNone(path), undefined)
      const before = cpusets.wayTo(path)
      const { changes, failure } = pin(path, [last])
      assert.equal(failure, undefined)
      cpusets.gather(path)
      assert.equal(allowedOf(child.pid), String(last))
      assert.equal(cpusets.wayTo(path).at(-1)?.set?.cpus, String(last))

      for (const { path, from, to } of changes.toReversed()) {
        if (isV1) assert.equal(cpusets.release(path), undefined)
        const undone =
          from === null ? cpusets.remove(path) : cpusets.write({ path, from: to, to: from })
        assert.equal(undone, undefined)
      }
      assert.equal(allowedOf(child.pid), all)
      // v2 keeps no empty set with processes: it is named instead.
      const now = cpusets.wayTo(path)
      if (isV1) assert.deepEqual(now, before)
      else assert.equal(now.at(-1)?.set?.cpus, all)
    })

    void test('CPUs that the machine lacks are refused in words', () => {
      const { failure } = pin(path, [999])
      assert.match(
        failure ?? '',
        /cpuset\.cpus\S*: (ERANGE, |EACCES, |EINVAL, |expected 999, got )/,
      )
    })

    void test('a group without the controller is told with the remedy', () => {
      if (isV1) {
        const other = join(tree, 'mount')
        assert.match(openElsewhere(other) ?? '', /cpuset is not there: mount the cpuset controller/)
        return
      }
      const bare = `${path}/bare`
      mkdirSync(join(cpu, bare))
      assert.match(cpusets.whyNone(bare) ?? '', /write \+cpuset to cgroup\.subtree_control/)
      rmdirSync(join(cpu, bare))
    })

    /** A mount with the folders of CPU, and none of cpusets. */
    const openElsewhere = (name: string): string | undefined => {
      const folder = join('/tmp', name)
      for (const part of ['cpu', 'cpuacct']) mkdirSync(join(folder, part), { recursive: true })
      try {
        return openCpusets(folder).whyNone('a')
      } finally {
        for (const part of ['cpu', 'cpuacct', '', '..']) rmdirSync(join(folder, part))
      }
    }
  })
}
