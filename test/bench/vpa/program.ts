/** A program of others that an arm runs: started in a group, and ended with what it said if that was early. */
import { once } from 'node:events'

import { spawnIn } from '../spawn-in.ts'

export type Program = {
  /** Throws if it has ended. */
  readonly check: () => void
  readonly said: () => string
  readonly stop: () => Promise<void>
}

const keptChars = 100_000

export function startProgram(
  group: string,
  path: string,
  flags: Readonly<Record<string, string>>,
): Program {
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
  const child = spawnIn(group, [path, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const keep = (text: string): void => void (said = (said + text).slice(-keptChars))
  child.stdout?.setEncoding('utf8').on('data', keep)
  child.stderr?.setEncoding('utf8').on('data', keep)
  const ended = once(child, 'close')
  return {
    check() {
      const how = child.exitCode ?? child.signalCode
      if (how !== null)
        throw new Error(`running ${path}: it ended with ${how}: ${said.slice(-3000)}`)
    },
    said: () => said,
    async stop() {
      child.kill('SIGKILL') // none of them keeps anything but in the API
      await ended
    },
  }
}
