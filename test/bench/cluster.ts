/** The embedded cluster at scale: how fast it starts, creates, and lets time pass, and its memory. */
import { table } from '../../src/apps/cli/show.ts'
import type { Bench } from './bench.ts'
import type { Figures, Sizes } from './cluster/task.ts'
import { forkTask } from './fork-task.ts'

const sizes: readonly Sizes[] = [
  { nodes: 10, pods: 500, seconds: 3600 },
  { nodes: 100, pods: 1000, seconds: 3600 },
  { nodes: 1000, pods: 10_000, seconds: 1800 },
]
/** Published by kwok's authors for creating nodes or pods. */
const kwokPerSecond = 20
const day = 86_400
const columns = [
  'NODES',
  'PODS',
  'NODES UP',
  'PODS RUN',
  'CREATED',
  'OF KWOK',
  'MEMORY',
  'SIMULATED',
  'A DAY IN',
].map((title) => ({ title, align: 'right' }) as const)

export const cluster: Bench = {
  name: 'cluster',
  about:
    'the embedded cluster with up to 1,000 nodes and 10,000 pods: start, memory, speed of time',
  async run() {
    console.log('\nThe embedded cluster at full speed (a few minutes)\n')
    const rows: string[][] = []
    const script = new URL('cluster/task.js', import.meta.url)
    for (const size of sizes) rows.push(rowOf(size, await forkTask<Figures>(script, size)))
    console.log(table(columns, rows).join('\n'))
    console.log(`
created: objects a second (nodes, pods, leases, events, ...), beside the ${kwokPerSecond} a second
that kwok publishes; simulated time: seconds a second, once all pods run, with heartbeats of all
nodes every 10 s and the CPU counters of all containers read every minute; a day in 300 s is the aim`)
  },
}

const rowOf = ({ nodes, pods }: Sizes, figures: Figures): string[] => [
  String(nodes),
  String(pods),
  `${figures.startSeconds.toFixed(1)} s`,
  `${figures.runSeconds.toFixed(1)} s`,
  `${figures.createdPerSecond.toFixed(0)}/s`,
  `${(figures.createdPerSecond / kwokPerSecond).toFixed(0)}x`,
  `${figures.megabytes.toFixed(0)} MB`,
  `${figures.simulatedPerSecond.toFixed(0)}/s`,
  `${(day / figures.simulatedPerSecond).toFixed(0)} s`,
]
