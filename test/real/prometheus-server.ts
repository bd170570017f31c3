/** A real Prometheus on loopback that scrapes one address four times a second. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { pathOf, real } from '../real.ts'

export type Prometheus = {
  readonly url: string
  readonly signal: (name: NodeJS.Signals) => void
  /** SIGKILL; resolves when it is gone. */
  readonly kill: () => Promise<void>
  /** Anew after `kill`: at the same address, with what it had stored. */
  readonly start: () => void
  readonly close: () => Promise<void>
}

export async function startPrometheus(target: string): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-prometheus-'))
  const config = join(folder, 'prometheus.yml')
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: '250ms', scrape_timeout: '250ms' },
      scrape_configs: [{ job_name: 'ours', static_configs: [{ targets: [target] }] }],
    }),
  )
  const address = `127.0.0.1:${await freePort()}`
  const args = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
    '--log.level=error',
  ]
  let child: ChildProcess
  const start = (): void => {
    child = spawn(join(pathOf(real.prometheus), 'prometheus'), args, { stdio: 'inherit' })
  }
  const signal = (name: NodeJS.Signals): void => void child.kill(name)
  const kill = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
    signal('SIGKILL')
    await closed
  }
  process.once('exit', () => signal('SIGKILL'))
  start()
  return {
    url: `http://${address}`,
    signal,
    kill,
    start,
    close: async () => {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
