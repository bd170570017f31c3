/**
 * PostgreSQL 15 under its own pgbench: an open loop (`-R`) whose latencies are from the intended
 * start. Every request is a sum over a range of an index; its size is the rows of the range.
 */
import { chownSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { pathOf, real } from '../../real.ts'
import { burstStarts, type LoadPlan } from './arrivals.ts'
import { secondOf } from './moment.ts'
import { parsePgbenchLog } from './pgbench-log.ts'
import { runIn, startIn, untilUp } from './process.ts'
import type { Home, Program, Served } from './program.ts'

const binary = (name: string): string => join(pathOf(real.programs), name)
const rowsInAll = 200_000
/** Connections: as many can be served at once, the others wait with pgbench, which counts it. */
const steadyClients = 12
const burstClients = 10
const settings = [
  'listen_addresses=', // a socket in its folder, no port
  'fsync=off',
  'autovacuum=off',
  'jit=off',
  'max_parallel_workers_per_gather=0',
  'max_connections=60',
  'shared_buffers=64MB',
]

export const postgres: Program = {
  name: 'postgres',
  firstSize: 15_000,
  async prepare(home) {
    const { folder, loadGroup } = home
    mkdirSync(folder)
    const { uid, gid } = await idsOf('postgres', loadGroup)
    chownSync(folder, uid, gid)
    const flags = ['--auth=trust', '--username=postgres', '--no-sync', '--locale=C', '-E', 'UTF8']
    await runIn(loadGroup, [binary('initdb'), '-D', join(folder, 'data'), ...flags], 'postgres')
    const server = await startServer({ ...home, group: loadGroup })
    const fill = ['--initialize', '--quiet', `--scale=${rowsInAll / 100_000}`]
    await runIn(loadGroup, [binary('pgbench'), ...toServer(folder), ...fill, 'postgres'])
    await server.stop('SIGINT')
  },
  async start(home, size) {
    const server = await startServer(home)
    return {
      prepareLoad: async (plan) => async (startMillis) =>
        generate(home, { ...plan, size, startMillis }),
      stop: async () => server.stop('SIGINT'), // fast: without waiting for clients
    }
  },
}

const toServer = (folder: string): string[] => ['--host', folder, '--username', 'postgres']

async function startServer({ folder, group, loadGroup }: Home) {
  const options = settings.flatMap((setting) => ['-c', setting])
  const command = [binary('postgres'), '-D', join(folder, 'data'), '-k', folder, ...options]
  const server = startIn(group, command, 'postgres')
  await untilUp(server, async () => {
    const asked = runIn(loadGroup, [binary('pg_isready'), '--quiet', ...toServer(folder)])
    return asked.then(
      () => true,
      () => false,
    )
  })
  return server
}

type Order = LoadPlan & { readonly size: number; readonly startMillis: number }

/** One pgbench for the steady rate, and one for each burst: it knows no other way to change a rate. */
async function generate(home: Home, order: Order): Promise<Served[]> {
  const { shape, seconds, seed, size, startMillis } = order
  const script = join(home.folder, 'range.sql')
  writeFileSync(
    script,
    `\\set low random(1, ${rowsInAll} - :rows)
\\set high :low + :rows
SELECT sum(abalance) FROM pgbench_accounts WHERE aid BETWEEN :low AND :high;
`,
  )
  const logs = join(home.folder, 'log')
  rmSync(logs, { recursive: true, force: true })
  mkdirSync(logs)
  const failed = new AbortController()
  const ask = async (part: Part) => {
    await secondOf(part.atSecond, { startMillis, signal: failed.signal })
    const { clients, perSecond, count } = part
    const flags = [
      '--no-vacuum',
      '--protocol=prepared',
      `--file=${script}`,
      `--define=rows=${size}`,
      `--client=${clients}`,
      `--rate=${perSecond}`,
      // A number of requests, not a time: those that are late at the end of a time would be dropped.
      `--transactions=${Math.max(1, Math.round(count / clients))}`,
      `--random-seed=${seed * 1000 + Math.round(part.atSecond)}`,
      '--log',
      `--log-prefix=${join(logs, `at-${part.atSecond}`)}`,
    ]
    await runIn(home.loadGroup, [binary('pgbench'), ...toServer(home.folder), ...flags, 'postgres'])
  }
  const parts = partsOf({ shape, seconds }).map(ask)
  for (const part of parts) part.catch((error: unknown) => failed.abort(error)) // none starts any more
  await Promise.all(parts)
  return readdirSync(logs)
    .map((name) => readFileSync(join(logs, name), 'utf8'))
    .flatMap((text) => parsePgbenchLog(text, startMillis))
}

type Part = {
  readonly atSecond: number
  readonly clients: number
  readonly perSecond: number
  readonly count: number
}

function partsOf({ shape, seconds }: Omit<LoadPlan, 'seed'>): Part[] {
  const { perSecond, bursts } = shape
  const steady = { atSecond: 0, clients: steadyClients, perSecond, count: perSecond * seconds }
  if (bursts === undefined) return [steady]
  const burst = { clients: burstClients, perSecond: bursts.perSecond, count: bursts.count }
  const starts = burstStarts({ shape, seconds })
  return [steady, ...starts.map((atSecond) => Object.assign({ atSecond }, burst))]
}

async function idsOf(user: string, group: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number(await runIn(group, ['id', flag, user]))),
  )
  if (uid === undefined || gid === undefined) throw new Error(`finding user ${user}`)
  return { uid, gid }
}
