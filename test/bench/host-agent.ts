/** Our own program at work on groups of the kernel: `mbcas agent --host`, as an operator starts it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { stringify } from 'yaml'

export type HostAgent = {
  /** Throws what went wrong, if anything did. */
  readonly stop: () => Promise<void>
}

const program = fileURLToPath(new URL('../../src/main.js', import.meta.url))
const upMillis = 5000
const endMillis = 5000

export async function startHostAgent(document: object): Promise<HostAgent> {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-bench-'))
  const config = join(folder, 'host.yaml')
  writeFileSync(config, stringify(document))
  const state = join(folder, 'state.json')
  const flags = ['--config', config, '--state', state, '--listen', '127.0.0.1:0']
  const child = spawn(process.execPath, [program, 'agent', '--host', ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = once(child, 'close')
  const isUp = once(child.stderr, 'data')
  await Promise.race([isUp, ended, sleep(upMillis, undefined, { ref: false })])
  return {
    async stop() {
      const hasEnded = child.exitCode !== null || child.signalCode !== null
      child.kill('SIGTERM')
      await Promise.race([ended, sleep(endMillis, undefined, { ref: false })])
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true })
      if (!hasEnded && child.exitCode === 0) return
      const how = child.exitCode ?? child.signalCode
      throw new Error(`running mbcas agent --host: it ended with ${how}: ${said.slice(-2000)}`)
    },
  }
}
