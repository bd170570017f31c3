import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository; this file runs as dist/test/run.js. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string }

export type RunOptions = {
  /** What it reads from standard input; nothing, if not given. */
  readonly input?: string
  readonly cwd?: string
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds until it and all it started are killed: it hangs, however slow the machine is. */
  readonly timeout?: number
  readonly uid?: number
}

/** Runs a command to its end, whatever its exit code; one that takes too long is an error. */
export async function run(
  command: string,
  args: readonly string[],
  { input = '', cwd = root, env = {}, timeout = 300_000, uid }: RunOptions = {},
): Promise<Ran> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: true, // a process group of its own, so that it can be killed with its children
    ...(uid === undefined ? {} : { uid }),
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8')
    child[name].on('data', (text: string) => (output[name] += text))
  }
  child.stdin.on('error', () => {}) // it may end without having read everything
  child.stdin.end(input)
  let late = false
  const timer = setTimeout(() => {
    late = true
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }, timeout)
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    )
  }).finally(() => clearTimeout(timer))
  if (late) {
    const shown = `${output.stdout}${output.stderr}`.slice(-2000)
    throw new Error(
      `running ${command} ${args.join(' ')}: not done after ${timeout} ms; it said:\n${shown}`,
    )
  }
  return { code, ...output }
}

/** The product as a user starts it. */
export const mbcas = async (args: readonly string[], options?: RunOptions): Promise<Ran> =>
  run(join(root, 'bin', 'mbcas'), args, options)

/** An environment in which the commands of a folder are found first. */
export const withPath = (folder: string): { readonly PATH: string } => ({
  PATH: `${folder}${delimiter}${process.env['PATH']}`,
})
