/** CPU time of the whole machine: that of the root group, or of /proc/stat where the root has no such file. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { failureOf } from './answers.ts'
import type { Hierarchy } from './hierarchy.ts'
import { keepFiles } from './kept-files.ts'
import { parseUsageV1, parseUsageV2 } from './parse.ts'

/** Of /proc/stat, on every architecture (USER_HZ). */
const MICROS_PER_TICK = 10_000

export type MachineCpuTime = {
  /** Undefined where the kernel reports it nowhere. */
  readonly micros: () => number | undefined
  readonly close: () => void
}

export function openMachineCpuTime(hierarchy: Hierarchy, procStat = '/proc/stat'): MachineCpuTime {
  const [file, parse] =
    hierarchy.version === 2
      ? [join(hierarchy.unified, 'cpu.stat'), parseUsageV2]
      : [join(hierarchy.cpuacct, 'cpuacct.usage'), parseUsageV1]
  const files = keepFiles({ usage: file })
  return {
    micros: () => {
      const text = files.textIfAny('usage')
      return text === undefined ? microsOfProcStat(procStat) : parse(text)
    },
    close: files.close,
  }
}

/** Its first line: `cpu  user nice system idle iowait irq softirq steal guest guest_nice`. */
function microsOfProcStat(file: string): number | undefined {
  let text = ''
  if (failureOf(() => void (text = readFileSync(file, 'latin1'))) !== undefined) return undefined
  const [name, user, nice, system, , , irq, softirq] = text
    .slice(0, text.indexOf('\n'))
    .replace('  ', ' ')
    .split(' ')
  const ticks = [user, nice, system, irq, softirq].reduce((sum, one) => sum + Number(one), 0)
  if (name === 'cpu' && Number.isFinite(ticks)) return ticks * MICROS_PER_TICK
  throw new Error(`parsing ${file}: expected a line of the cpu's ticks, got ${text.slice(0, 80)}`)
}
