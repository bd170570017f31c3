/** A process in a group that asks for so much CPU, whether or not it gets it. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What it did not get it still wants, up to a second of it; it ends by itself after ten minutes. */
const script = `
let milli = 0
process.stdin.on('data', (text) => { milli = Number(text) })
const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
let [owed, at, seen] = [0, performance.now(), used()]
setInterval(() => {
  const now = performance.now()
  owed = Math.min(owed + (now - at) * milli / 1000, milli) - (used() - seen)
  ;[at, seen] = [now, used()]
  const until = seen + owed
  while (used() < until);
}, 20)
setTimeout(() => process.exit(), 600_000)
`

export type HostLoad = {
  readonly pid: number | undefined
  readonly ask: (millicores: number) => void
  readonly end: () => Promise<void>
}

/** `folders` are those of the group, one in each hierarchy that counts. */
export function startLoad(folders: readonly string[], millicores: number): HostLoad {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'ignore', 'inherit'] })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve())).then(
    () => void process.off('exit', kill),
  )
  for (const folder of folders) writeFileSync(join(folder, 'cgroup.procs'), String(child.pid))
  const ask = (amount: number): void => void child.stdin.write(`${amount}\n`)
  ask(millicores)
  return {
    pid: child.pid,
    ask,
    end: async () => {
      kill()
      return ended
    },
  }
}
