/** Programs of others as processes in a group: what they said is told when they fail. */
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

import { spawnIn } from '../spawn-in.ts'

export type Started = {
  readonly child: ChildProcess
  /** Rejects unless it ends with 0 or was told to stop. */
  readonly ended: Promise<void>
  readonly hasEnded: () => boolean
  readonly stdout: () => string
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>
}

export type As = 'root' | 'postgres'

/** For a server to end in order. */
const endMillis = 5000

/** It is killed with this process, and Ctrl-C in a terminal reaches this process alone. */
export function startIn(group: string, command: readonly string[], as: As = 'root'): Started {
  const user = as === 'root' ? [] : ['--reuid', as, '--regid', as, '--clear-groups']
  const child = spawnIn(group, ['setpriv', ...user, '--pdeathsig', 'KILL', ...command], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    cwd: '/',
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => (said[name] += text))
  }
  child.stdin?.on('error', () => {}) // it may end without having read everything
  let isStopping = false
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0 || isStopping) return resolve()
      const words = `${said.stdout}${said.stderr}`.slice(-1000).trim()
      reject(new Error(`running ${command[0]}: it ended with ${code ?? signal}: ${words}`))
    })
  })
  ended.catch(() => {}) // told to who waits for it
  return {
    child,
    ended,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stdout: () => said.stdout,
    async stop(signal = 'SIGTERM') {
      isStopping = true
      child.kill(signal)
      await Promise.race([ended.catch(() => {}), sleep(endMillis, undefined, { ref: false })])
      child.kill('SIGKILL')
      await ended.catch(() => {})
    },
  }
}

export async function runIn(
  group: string,
  command: readonly string[],
  as: As = 'root',
): Promise<string> {
  const started = startIn(group, command, as)
  started.child.stdin?.end()
  await started.ended
  return started.stdout()
}

/** Looks until it answers; a server that ends before has said why. */
export async function untilUp(server: Started, isUp: () => Promise<boolean>): Promise<void> {
  while (!(await isUp())) {
    if (server.hasEnded()) {
      await server.ended
      throw new Error('starting a server: it ended before it answered')
    }
    await sleep(20)
  }
}
