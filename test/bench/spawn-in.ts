import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { join } from 'node:path'

import { findHierarchy } from '../../src/adapters/cgroup/hierarchy.ts'

const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/** Starts a command in a CPU cgroup, where all that it does is counted; it ends with this process. */
export function spawnIn(
  group: string,
  command: readonly string[],
  options: SpawnOptions = {},
): ChildProcess {
  const found = findHierarchy('/sys/fs/cgroup')
  const folders = found.version === 2 ? [found.unified] : [found.cpu, found.cpuacct]
  const enter = folders.map((folder) => `echo $$ > '${join(folder, group, 'cgroup.procs')}'`)
  const script = `set -e; ${enter.join('; ')}; exec "$@"`
  const child = spawn('sh', ['-c', script, 'sh', ...command], { stdio: 'ignore', ...options })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}
