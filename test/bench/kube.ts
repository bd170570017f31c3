/**
 * Our Kubernetes client against the official one, over TLS on loopback. Every figure is of a fresh
 * process, and the server has its own.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { table, wrap } from '../../src/apps/cli/show.ts'
import { certificates } from '../certificates.ts'
import { real } from '../real.ts'
import { root, run } from '../run.ts'
import type { Bench } from './bench.ts'
import { type ForkedPodServer, forkPodServer } from './kube/fork-pod-server.ts'
import { pageSize, type RivalName } from './kube/rival.ts'
import type { TaskRequest } from './kube/task-process.ts'
import { type Figures, sizes, type Task } from './kube/tasks.ts'

/** As `bin/mbcas` starts the agent. */
const agentFlags =
  readFileSync(join(root, 'bin', 'mbcas'), 'utf8').match(/--[a-z-]+(=\d+)?(?=[ '"])/g) ?? []
/** The median counts. */
const runs: Readonly<Record<Task, number>> = {
  listAll: 3,
  listPages: 3,
  watch: 1,
  gets: 3,
  idle: 1,
}
const busyTasks = ['listAll', 'listPages', 'watch', 'gets'] as const

type Measured = Figures & { readonly connections: number }
type Both = { readonly ours: Measured; readonly official: Measured | undefined }
type All = Readonly<Record<Task, Both>> & { readonly flagged: Both }

const rivals: readonly RivalName[] =
  real.officialClient.path === undefined ? ['ours'] : ['ours', 'official']

export const kube: Bench = {
  name: 'kube',
  about: `our Kubernetes client against the official one: ${n(sizes.pods)} pods, watches, GETs, memory`,
  async run() {
    console.log('\nOur Kubernetes client against @kubernetes/client-node 1.4.0 (over a minute)\n')
    if (real.officialClient.path === undefined) {
      console.log(`Ours alone: ${real.officialClient.missing} -- officialClient\n`)
    }
    const { server: pair } = certificates()
    const server = await forkPodServer(pair, sizes)
    const quiet = await forkPodServer(pair, { pods: sizes.idlePods, events: 0 })
    try {
      print({ ...(await measureBusy(server)), ...(await measureIdle(quiet)) })
    } finally {
      server.close()
      quiet.close()
    }
  },
}

async function measureBusy(server: ForkedPodServer): Promise<Omit<All, 'idle' | 'flagged'>> {
  const found: Partial<Record<Task, Both>> = {}
  for (const task of busyTasks) {
    const taken: Record<RivalName, Measured[]> = { ours: [], official: [] }
    for (let turn = 0; turn < runs[task]; turn++) {
      for (const rival of rivals) taken[rival].push(await measure(server, { rival, task }))
    }
    found[task] = both(taken)
  }
  return found as Omit<All, 'idle' | 'flagged'>
}

/** All at once: they only wait. */
async function measureIdle(server: ForkedPodServer): Promise<Pick<All, 'idle' | 'flagged'>> {
  const [flagged, ...plain] = await Promise.all([
    measure(server, { rival: 'ours', task: 'idle', flags: agentFlags }),
    ...rivals.map(async (rival) => measure(server, { rival, task: 'idle' })),
  ])
  const idle = both({ ours: plain.slice(0, 1), official: plain.slice(1) })
  return { idle, flagged: { ours: flagged, official: idle.official } }
}

const both = ({ ours, official }: Record<RivalName, Measured[]>): Both => ({
  ours: medians(ours),
  official: official.length === 0 ? undefined : medians(official),
})

const script = fileURLToPath(new URL('kube/task-process.js', import.meta.url))

async function measure(
  server: ForkedPodServer,
  { rival, task, flags = [] }: { rival: RivalName; task: Task; flags?: readonly string[] },
): Promise<Measured> {
  const place = { url: server.url, caFile: certificates().ca.certFile }
  const folder = real.officialClient.path ?? ''
  const request: TaskRequest = { rival, task, server: place, folder }
  const before = await server.connections()
  const args = [...flags, script, JSON.stringify(request)]
  const { code, stdout, stderr } = await run(process.execPath, args, { timeout: 300_000 })
  if (code !== 0) throw new Error(`bench kube: ${task} of ${rival} ended with ${code}\n${stderr}`)
  const connections = (await server.connections()) - before
  return { ...(JSON.parse(stdout) as Figures), connections }
}

/** Each figure's own median. */
function medians(all: readonly Measured[]): Measured {
  const middle = (figure: keyof Measured) =>
    all.map((one) => one[figure]).toSorted((a, b) => a - b)[all.length >> 1] ?? NaN
  return {
    cpuSeconds: middle('cpuSeconds'),
    seconds: middle('seconds'),
    peakMb: middle('peakMb'),
    rssMb: middle('rssMb'),
    anonMb: middle('anonMb'),
    connections: middle('connections'),
  }
}

type Row = {
  readonly what: string
  readonly at: Both
  readonly figure: (of: Measured) => number
  readonly show: (figure: number) => string
}

function print({ listAll, listPages, watch, gets, idle, flagged }: All): void {
  const thousandEvents = sizes.events / 1000
  const seconds = (value: number) => `${value.toFixed(2)} s`
  const millis = (value: number) => `${value.toFixed(2)} ms`
  const mb = (value: number) => (Number.isNaN(value) ? '-' : `${value.toFixed(0)} MB`)
  const cpu = { figure: (of: Measured) => of.cpuSeconds, show: seconds }
  const peak = { figure: (of: Measured) => of.peakMb, show: mb }
  const rss = { figure: (of: Measured) => of.rssMb, show: mb }
  const anon = { figure: (of: Measured) => of.anonMb, show: mb }
  const rows: Row[] = [
    { what: `list ${n(sizes.pods)} pods in one piece: CPU`, at: listAll, ...cpu },
    { what: '  peak RSS', at: listAll, ...peak },
    { what: `list in pages of ${pageSize}, projected: CPU`, at: listPages, ...cpu },
    { what: '  peak RSS', at: listPages, ...peak },
    {
      what: `informer, ${n(sizes.events)} events: events a second`,
      at: watch,
      figure: ({ seconds }) => sizes.events / seconds,
      show: (value) => n(Math.round(value)),
    },
    {
      what: '  CPU per 1,000 events',
      at: watch,
      figure: ({ cpuSeconds }) => (cpuSeconds / thousandEvents) * 1000,
      show: millis,
    },
    { what: '  peak RSS', at: watch, ...peak },
    {
      what: `${sizes.gets} GETs, ${sizes.atOnce} at a time: connections`,
      at: gets,
      figure: ({ connections }) => connections,
      show: String,
    },
    {
      what: '  CPU a request',
      at: gets,
      figure: ({ cpuSeconds }) => (cpuSeconds / sizes.gets) * 1000,
      show: millis,
    },
    { what: `idle informer, ${sizes.idlePods} pods, after 10 s: RSS`, at: idle, ...rss },
    { what: '  anonymous', at: idle, ...anon },
    { what: "  ours with the agent's flags: RSS", at: flagged, ...rss },
    { what: '  anonymous', at: flagged, ...anon },
  ]
  const lines = table(
    [
      { title: 'MEASURED', align: 'left' },
      { title: 'OURS', align: 'right' },
      { title: 'OFFICIAL', align: 'right' },
      { title: 'OFFICIAL / OURS', align: 'right' },
    ],
    rows.map(({ what, at, figure, show }) => {
      const mine = figure(at.ours)
      const theirs = at.official && figure(at.official)
      if (theirs === undefined) return [what, show(mine), '-', '-']
      return [what, show(mine), show(theirs), times(theirs / mine)]
    }),
  )
  const { official } = listAll
  const { ours } = listPages
  const notes = [
    `Lists and GETs: medians of ${runs.listAll}. The agent's flags: ${agentFlags.join(' ')}.`,
  ]
  if (official !== undefined) {
    const cpuRatio = times(official.cpuSeconds / ours.cpuSeconds)
    const peakRatio = times(official.peakMb / ours.peakMb)
    notes.unshift(
      `As the informers list, ours in pages and projected, the official one in one piece: CPU ${cpuRatio}, peak RSS ${peakRatio}.`,
    )
  }
  console.log([...lines, '', ...notes.flatMap((note) => wrap(note, 100, 0))].join('\n'))
}

const times = (ratio: number): string => (Number.isNaN(ratio) ? '-' : `${ratio.toFixed(1)} x`)

function n(value: number): string {
  return value.toLocaleString('en')
}
