/** Processes by identity, and commands that answer. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'

import { until } from '../until.ts'

/** The kernel reuses a pid, but not with the same start time: so no stranger is ever killed. */
export interface Identity {
  readonly pid: number
  /** In clock ticks since boot: field 22 of /proc/<pid>/stat. */
  readonly started: number
}

/** Of a line of /proc/<pid>/stat. The command's name, in brackets, may hold anything. */
export function parseStat(line: string): Identity & { readonly dead: boolean } {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return {
    pid: parseInt(line, 10),
    started: Number(fields[19]),
    dead: /[ZX]/.test(fields[0] ?? ''),
  }
}

export const identify = (pid: number): Identity => {
  const { started } = parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  return { pid, started }
}

export function alive(process: Identity | undefined): boolean {
  if (process === undefined) return false
  try {
    const now = parseStat(readFileSync(`/proc/${process.pid}/stat`, 'utf8'))
    return now.started === process.started && !now.dead
  } catch {
    return false
  }
}

export async function kill(victim: Identity): Promise<void> {
  if (alive(victim)) process.kill(victim.pid, 'SIGKILL')
  await until(`the end of process ${victim.pid}`, () => !alive(victim))
}

/** What a command printed; if it fails, what it said. */
export async function answer(
  command: string,
  args: readonly string[],
  input?: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, { maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else
        reject(new Error(`running ${command} ${args.join(' ')}: ${stderr.trim() || error.message}`))
    })
    child.stdin?.on('error', () => {}) // it may end before it has read everything
    child.stdin?.end(input)
  })
}
