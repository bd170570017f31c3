import { parseLoad } from '../../../src/apis/load.ts'
/** What the model costs: a read over a while by profile, and a cluster that is read as an agent does. */
import { table } from '../../../src/apps/cli/show.ts'
import { seededRandom } from '../../../src/core/random.ts'
import { createNodeKernel } from '../../../src/sim/kernel/node-kernel.ts'
import { race, showMillis } from '../timing.ts'

const loads = [
  'idle',
  'steady cpu=1',
  'ramp from=100m to=900m over=10m',
  'bursty low=50m high=2 every=10s for=1s',
  'spiky low=50m high=2 every=30s for=2s',
  'batch work=10000h threads=2',
  'requests rate=50 cpu=8ms threads=4',
]
const spans = [
  { title: '1 s', millis: 1000 },
  { title: '10 s', millis: 10_000 },
  { title: '1 h', millis: 3_600_000 },
]
const cpu = { shares: 512, quotaMicros: 50_000, periodMicros: 100_000, burstMicros: 0 }
const cluster = { nodes: 1000, containersANode: 10, cpus: 4, seconds: 300, everySeconds: 15 }

export function printCosts(): void {
  const lines = table(
    [
      { title: 'A READ AFTER', align: 'left' },
      ...spans.map(({ title }) => ({ title, align: 'right' as const })),
    ],
    loads.map((load) =>
      [load].concat(spans.map(({ millis }) => showMillis(timeRead(load, millis)))),
    ),
  )
  const { nodes, containersANode, everySeconds } = cluster
  const containers = (nodes * containersANode).toLocaleString('en')
  const factor = Math.round(timeCluster()).toLocaleString('en')
  const told = `${containers} steady containers on ${nodes} nodes, each read every ${everySeconds} s: ${factor} simulated seconds a CPU-second`
  console.log(['', ...lines, '', told].join('\n'))
}

/** Milliseconds a read, alone on its node, with a quota of half a CPU. */
function timeRead(load: string, millis: number): number {
  let now = 0
  const agenda = { now: () => now, at: () => () => {} }
  const kernel = createNodeKernel({ agenda, cpus: 4, random: seededRandom(1) })
  kernel.add({ id: 'c', podUid: 'p', cpu, load: parseLoad(load) })
  const run = () => {
    now += millis
    return kernel.read('c')
  }
  return race([{ name: 'read', run }], 50).read.best
}

function timeCluster(): number {
  let now = 0
  const agenda = { now: () => now, at: () => () => {} }
  const random = seededRandom(1)
  const load = parseLoad('steady cpu=300m')
  const ids = Array.from({ length: cluster.containersANode }, (_, i) => `c${i}`)
  const kernels = Array.from({ length: cluster.nodes }, () => {
    const kernel = createNodeKernel({ agenda, cpus: cluster.cpus, random })
    for (const id of ids) kernel.add({ id, podUid: 'p', cpu, load })
    return kernel
  })
  const start = process.cpuUsage().user
  while (now < cluster.seconds * 1000) {
    now += cluster.everySeconds * 1000
    for (const kernel of kernels) for (const id of ids) kernel.read(id)
  }
  return cluster.seconds / ((process.cpuUsage().user - start) / 1e6)
}
