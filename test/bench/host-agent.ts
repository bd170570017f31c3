/** Our own program at work on groups of the kernel: `mbcas agent --host`, as an operator starts it. */
import { spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { stringify } from 'yaml'

import { spawnIn } from './spawn-in.ts'

export type HostAgent = {
  /** Throws what went wrong, if anything did. */
  readonly stop: () => Promise<void>
}

const program = fileURLToPath(new URL('../../src/main.js', import.meta.url))
const upMillis = 5000
const endMillis = 5000

/** In a group of its own, or where this process is. */
export async function startHostAgent(document: object, group?: string): Promise<HostAgent> {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-bench-'))
  const config = join(folder, 'host.yaml')
  writeFileSync(config, stringify(document))
  const state = join(folder, 'state.json')
  const flags = ['--config', config, '--state', state, '--listen', '127.0.0.1:0']
  const command = [program, 'agent', '--host', ...flags]
  const options: SpawnOptions = { stdio: ['ignore', 'ignore', 'pipe'] }
  const child =
    group === undefined
      ? spawn(process.execPath, command, options)
      : spawnIn(group, [process.execPath, ...command], options)
  const { stderr } = child
  if (stderr === null) throw new Error('starting mbcas agent --host: expected its log')
  let said = ''
  stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = once(child, 'close')
  const isUp = once(stderr, 'data')
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
