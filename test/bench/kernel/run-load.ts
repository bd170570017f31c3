/** One run of an arm: real processes in real groups, gone when it is done. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import { openCgroupWriter } from '../../../src/adapters/cgroup/writer.ts'
import { millicores } from '../../../src/core/units.ts'
import type { CpuChange } from '../../../src/ports/cgroup.ts'
import { killMembers, makeCgroup, removeCgroup } from '../../kubernetes/cgroups.ts'
import { nowMicros } from '../burn.ts'
import { readMachine } from '../machine-use.ts'
import type { Past } from '../past.ts'
import { sumOf } from '../statistics.ts'
import { type Arm, type ArmGroup, fit, reserve } from './arm.ts'
import { type Load, startLoad } from './load.ts'
import type { GroupLoad } from './requests.ts'
import type { Reading, Trace } from './trace.ts'
import { watch } from './watch.ts'

export type Run = {
  readonly arm: Arm
  readonly loads: readonly GroupLoad[]
  /** What is known of each load. */
  readonly pasts: readonly Past[]
  readonly seconds: number
  readonly signal: AbortSignal
}

const root = `mbcas-kernel-bench-${process.pid}`
const cpus = availableParallelism()
/** Of the kernel's own period, 100 ms. */
const microsAMilli = 100
/** For the arm to be at work before the first request. */
const leadMicros = 300_000

export async function runLoad(run: Run): Promise<Trace> {
  const { arm, loads, pasts } = run
  const quotas = fit(pasts.map(arm.firstQuota), millicores(cpus * 1000 - reserve))
  const groups = pasts.map((past, i): ArmGroup => {
    const { [i]: load } = loads
    const { [i]: quota } = quotas
    if (load === undefined || quota === undefined) throw new Error('expected a past for each load')
    return { path: join(root, load.name), past, quota }
  })
  let load: Load | undefined
  try {
    for (const { path } of groups) makeCgroup(path)
    // As the kubelet weighs all pods of a node against the system.
    set([{ place: { path: root }, shares: 1024 * cpus }])
    load = await startLoad(
      loads.map(({ requests }, i) => ({ path: groups[i]?.path ?? '', requests })),
    )
    set(groups.map(({ path, quota }) => ({ place: { path }, quotaMicros: quota * microsAMilli })))
    return await measure({ ...run, groups, load })
  } finally {
    await load?.end()
    groups.forEach(({ path }) => killMembers(path))
    await removeCgroup(root)
  }
}

function set(changes: readonly CpuChange[]): void {
  const { refused } = openCgroupWriter().write(changes)
  if (refused.length > 0) throw new Error(`setting groups: ${refused.join('; ')}`)
}

type Prepared = Run & { readonly groups: readonly ArmGroup[]; readonly load: Load }

async function measure({ arm, groups, load, seconds, signal }: Prepared): Promise<Trace> {
  const broken = new AbortController()
  const running = await arm.start(groups)
  const before = { machine: readMachine(), own: process.cpuUsage(), atMicros: nowMicros() }
  const startMicros = before.atMicros + leadMicros
  const watchAndStop = async () => {
    const either = AbortSignal.any([signal, broken.signal])
    let seen: Reading[][]
    try {
      seen = await watch({ groups, running, seconds, startMicros, signal: either })
    } finally {
      await running.stop()
    }
    const own = process.cpuUsage(before.own)
    const machine = readMachine()
    const allMicros = (nowMicros() - before.atMicros) * cpus
    // What is left is served at once: how long it waited counts, but not for the next run.
    set(groups.map(({ path }) => ({ place: { path }, quotaMicros: null, burstMicros: 0 })))
    return {
      seen,
      allMicros,
      stealMicros: machine.stealMicros - before.machine.stealMicros,
      busyMicros: machine.busyMicros - before.machine.busyMicros - own.user - own.system,
    }
  }
  /** When one part fails the other ends too, and only then this. */
  const giveUp = async (error: unknown): Promise<never> => {
    broken.abort(error)
    await load.end()
    throw error
  }
  const parts = [load.generate(startMicros).catch(giveUp), watchAndStop().catch(giveUp)] as const
  await Promise.allSettled(parts)
  broken.signal.throwIfAborted()
  const [{ doneMicros, cpuMicros }, { seen, allMicros, stealMicros, busyMicros }] =
    await Promise.all(parts)
  const used = sumOf(seen.map((readings) => readings.at(-1)?.usageMicros ?? 0))
  return {
    groups: seen.map((readings, i) => ({
      readings,
      doneMicros: [...(doneMicros[i] ?? [])].map((moment) => moment - startMicros),
    })),
    disturbance: {
      stealRatio: stealMicros / allMicros,
      othersRatio: Math.max(0, busyMicros - cpuMicros - used) / allMicros,
    },
  }
}
