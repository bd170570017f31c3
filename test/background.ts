import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

import { root } from './run.ts'

export type Line = Readonly<Record<string, unknown>> & { readonly msg: string }

/** One of our long-running processes, with its JSON log. */
export type Background = {
  readonly pid: number
  readonly lines: readonly Line[]
  /** What it said that is no JSON. */
  readonly said: () => string
  readonly ended: Promise<number | NodeJS.Signals>
  readonly kill: (signal: NodeJS.Signals) => void
  /** As a terminal that closes, or a reader that has seen enough. */
  readonly closeLog: () => void
  /** SIGTERM, then its exit code. */
  readonly stop: () => Promise<number | NodeJS.Signals>
}

export const startMbcas = (...args: readonly string[]): Background =>
  startLogging(process.execPath, ['dist/src/main.js', ...args])

/** The same, by a command that becomes it. */
export function startLogging(command: string, args: readonly string[]): Background {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const lines: Line[] = []
  let said = ''
  createInterface({ input: child.stderr }).on('line', (line) => {
    try {
      lines.push(JSON.parse(line) as Line)
    } catch {
      said += `${line}\n`
    }
  })
  const ended = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code ?? signal ?? 0))
  })
  const kill = (signal: NodeJS.Signals): void => void child.kill(signal)
  const killAtEnd = (): void => kill('SIGKILL')
  process.once('exit', killAtEnd)
  child.on('close', () => void process.off('exit', killAtEnd))
  return {
    pid: child.pid ?? 0,
    lines,
    said: () => said,
    ended,
    kill,
    closeLog: () => void child.stderr.destroy(),
    stop: async () => {
      kill('SIGTERM')
      return ended
    },
  }
}
