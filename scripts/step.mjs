// What the set-up scripts share. Uses Node alone: it runs before anything is installed.
import { spawn } from 'node:child_process'

/** Everything a set-up says goes to stderr. */
export const say = (/** @type {string} */ text) =>
  void process.stderr.write(`mbcas set-up: ${text}\n`)

/**
 * Runs a step; tells every few seconds how long it has been at work and what it said last; shows
 * its output if it fails.
 * @param {string} title
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
export async function step(title, command, args, options = {}) {
  const start = performance.now()
  const seconds = () => ((performance.now() - start) / 1000).toFixed(1)
  say(`${title} ...`)
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const last = () => output.slice(-500).trimEnd().split('\n').at(-1)?.slice(0, 60)
  const ticker = setInterval(
    () => say(`${title}: ${seconds()} s so far${last() ? ` (${last()})` : ''}`),
    5000,
  )
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  }).finally(() => clearInterval(ticker))
  if (code !== 0)
    throw new Error(`${title}: ${command} ${args.join(' ')} ended with ${code}\n${output}`)
  say(`${title}: done in ${seconds()} s`)
}
