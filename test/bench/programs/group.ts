/** The kernel's groups of a run: made, set, read and ended. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { openCgroups } from '../../../src/adapters/cgroup/reader.ts'
import { openCgroupWriter } from '../../../src/adapters/cgroup/writer.ts'
import type { Millicores } from '../../../src/core/units.ts'
import { cpuCgroup, killMembers, removeCgroup } from '../../kubernetes/cgroups.ts'
import { nowMicros } from '../burn.ts'
import { sharesByHand } from '../kernel/frozen.ts'

/** A service's or the batch work's, as an arm sees it. */
export type ArmGroup = {
  readonly path: string
  readonly request: Millicores
  readonly isBatch: boolean
}

type Wanted = {
  readonly path: string
  readonly shares?: number
  readonly quotaCores?: number
  /** Of the quota; the kernel's own unless told. */
  readonly periodMicros?: number
  readonly isUnlimited?: boolean
  /** What is not used of the quota is saved, up to one period's. */
  readonly hasBurst?: boolean
}

const usualPeriodMicros = 100_000

export function setGroup(wanted: Wanted): void {
  const { path, shares, quotaCores, periodMicros = usualPeriodMicros, hasBurst = false } = wanted
  const quotaMicros = quotaCores === undefined ? undefined : Math.round(quotaCores * periodMicros)
  const change = {
    place: { path },
    ...(shares === undefined ? {} : { shares }),
    ...(quotaMicros === undefined ? {} : { quotaMicros, periodMicros }),
    ...(quotaMicros !== undefined && hasBurst ? { burstMicros: quotaMicros } : {}),
    ...(wanted.isUnlimited === true ? { quotaMicros: null, burstMicros: 0 } : {}),
  }
  const { refused } = openCgroupWriter().write([change])
  if (refused.length > 0) throw new Error(`setting group ${path}: ${refused.join('; ')}`)
}

const sharesPerCpu = 1024

/** As a kubelet does. */
export const weighByRequest = ({ path, request }: ArmGroup): void =>
  setGroup({ path, shares: Math.round((request * sharesPerCpu) / 1000) })

/** As somebody does who knows who is to give way. */
export const weighByHand = ({ path, isBatch }: ArmGroup): void =>
  setGroup({ path, shares: isBatch ? sharesByHand.batch : sharesByHand.service })

/** Below every weight: whoever else wants the CPU has it at once. */
export const setIdle = (path: string): void => writeFileSync(join(cpuCgroup(path), 'cpu.idle'), '1')

export const isThere = (path: string): boolean => existsSync(cpuCgroup(path))

export function usageMicros(path: string): number {
  const reader = openCgroups({ nowMicros, isExact: true })
  try {
    const reading = reader.read({ path })
    if (reading === undefined) throw new Error(`reading group ${path}: it is gone`)
    return reading.usageMicros
  } finally {
    reader.close()
  }
}

/** With all that runs in it and below; what forks meanwhile is killed at the next look. */
export async function endGroup(path: string): Promise<void> {
  const killAll = () => treeOf(path).forEach(killMembers)
  const timer = setInterval(killAll, 50)
  killAll()
  try {
    await removeCgroup(path)
  } finally {
    clearInterval(timer)
  }
}

function treeOf(path: string): string[] {
  const folder = cpuCgroup(path)
  if (!existsSync(folder)) return []
  const below = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory())
  return [path, ...below.flatMap(({ name }) => treeOf(join(path, name)))]
}
