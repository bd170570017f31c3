/** How much of the machine was used, and how much its host took. */
import { readFileSync } from 'node:fs'

export type MachineUse = { readonly busyMicros: number; readonly stealMicros: number }

/** The first line of /proc/stat, in ticks of 10 ms: user nice system idle iowait irq softirq steal. */
export function readMachine(): MachineUse {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number)
  const busy = user + nice + system + irq + softirq
  return { busyMicros: busy * 10_000, stealMicros: steal * 10_000 }
}
