/** What the kernel says about the machine and its processes as such. */
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** Another at every start of the machine. */
export const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()

/** All that are on line, also those that this process is kept from. */
export function onlineCpus(): number {
  const lines = readFileSync('/proc/stat', 'utf8').match(/^cpu\d/gm)
  return lines?.length ?? cpus().length
}

/**
 * When a process started, in ticks since the machine did; undefined when it does not run. A number is
 * given again, but not to one that started at the same moment.
 */
export function startTicksOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field, the name, may hold spaces and brackets; the state is the 3rd, the start the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie (Z, or X on its way out) has ended, although its parent has not asked for its end yet.
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : Number(fields[19])
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw error
  }
}
