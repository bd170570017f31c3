/** A process of ours that tells people on its standard output how far it is. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

import { root } from './run.ts'

export type Speaking = {
  readonly pid: number
  /** Lines of stdout and stderr so far. */
  readonly said: readonly string[]
  readonly ended: Promise<number | NodeJS.Signals>
  /** Sends SIGTERM unless told otherwise; its exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | NodeJS.Signals>
}

/** Without the flags that bin/mbcas gives Node. */
const plainly: readonly [string, ...string[]] = [process.execPath, 'dist/src/main.js']

/** Ends when it has said a line that is awaited, with what the expression caught of it. */
export async function startSpeaking(
  args: readonly string[],
  awaited: RegExp,
  [command, ...first] = plainly,
): Promise<Speaking & { readonly caught: string }> {
  const child = spawn(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = (signal: NodeJS.Signals): void => void child.kill(signal)
  const killAtExit = () => kill('SIGKILL')
  process.once('exit', killAtExit)
  const name = `mbcas ${args[0] ?? ''}`
  const said: string[] = []
  const ended = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      process.off('exit', killAtExit)
      resolve(code ?? signal ?? 0)
    })
  })
  const caught = await new Promise<string>((resolve, reject) => {
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => {
        said.push(line)
        const found = awaited.exec(line)?.[1]
        if (found !== undefined) resolve(found)
      })
    }
    void ended.then((code) =>
      reject(new Error(`${name} ended with ${code} before it was ready:\n${said.join('\n')}`)),
    )
  })
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    kill(signal)
    return ended
  }
  return { pid: child.pid ?? 0, said, ended, stop, caught }
}
