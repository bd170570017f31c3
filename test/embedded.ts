/** The embedded cluster as a person runs it: `mbcas cluster` in a process of its own. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { root } from './run.ts'

export type Embedded = {
  readonly pid: number
  readonly url: string
  readonly kubeconfig: string
  /** Lines of stdout and stderr so far. */
  readonly said: readonly string[]
  readonly ended: Promise<number | NodeJS.Signals>
  /** Sends SIGTERM unless told otherwise; its exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | NodeJS.Signals>
}

/** Ends when it serves. */
export async function startEmbedded(...flags: readonly string[]): Promise<Embedded> {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-embedded-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const child = spawn(
    process.execPath,
    ['dist/src/main.js', 'cluster', '--kubeconfig', kubeconfig, ...flags],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const kill = (signal: NodeJS.Signals): void => void child.kill(signal)
  const killAtExit = () => kill('SIGKILL')
  process.once('exit', killAtExit)
  const said: string[] = []
  const ended = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      process.off('exit', killAtExit)
      rmSync(folder, { recursive: true, force: true })
      resolve(code ?? signal ?? 0)
    })
  })
  const url = await new Promise<string>((resolve, reject) => {
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => {
        said.push(line)
        const ready = /^ready: (https:\S+)$/.exec(line)?.[1]
        if (ready !== undefined) resolve(ready)
      })
    }
    void ended.then((code) =>
      reject(
        new Error(`mbcas cluster ended with ${code} before it was ready:\n${said.join('\n')}`),
      ),
    )
  })
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    kill(signal)
    return ended
  }
  return { pid: child.pid ?? 0, url, kubeconfig, said, ended, stop }
}
