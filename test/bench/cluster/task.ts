/** Run as a process of its own, so that its memory is its own: a large cluster, measured step by step. */
import type { CgroupReader, ContainerPlace } from '../../../src/ports/cgroup.ts'
import { createCluster, type SimCluster } from '../../../src/sim/cluster.ts'
import { readSimulatedCgroups } from '../../../src/sim/kernel/cgroup-reader.ts'
import { deployments, pods } from '../../../src/sim/resources.ts'
import { answerTask } from '../fork-task.ts'

export type Sizes = {
  readonly nodes: number
  readonly pods: number
  /** Simulated seconds that are timed once all pods run. */
  readonly seconds: number
}

export type Figures = {
  readonly startSeconds: number
  readonly runSeconds: number
  readonly objects: number
  readonly createdPerSecond: number
  readonly simulatedPerSecond: number
  readonly writesPerSecond: number
  readonly megabytes: number
}

const replicas = 100
/** Loads in turn; requests, which are simulated one by one, in one deployment of a hundred. */
const loads = [
  'steady cpu=200m',
  'bursty low=50m high=1 every=60s for=5s',
  'idle',
  'ramp from=50m to=400m over=12h',
]
const requests = 'requests rate=5 cpu=5ms'
const manager = 'bench'

const deployment = (index: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: `load-${index}`, namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: `load-${index}` } },
    template: {
      metadata: {
        labels: { app: `load-${index}` },
        annotations: { 'sim.mbcas.io/load': index === 0 ? requests : loads[index % loads.length] },
      },
      spec: {
        containers: [
          {
            name: 'main',
            image: 'load',
            resources: {
              requests: { cpu: '100m', memory: '64Mi' },
              limits: { cpu: '500m', memory: '128Mi' },
            },
          },
        ],
      },
    },
  },
})

const seconds = (since: number): number => (performance.now() - since) / 1000

const running = ({ api }: SimCluster): number =>
  api.list(pods).filter(({ status }) => (status as { phase?: string }).phase === 'Running').length

const countObjects = ({ api }: SimCluster): number =>
  api.types().reduce((sum, type) => sum + api.list(type).length, 0)

async function measure(sizes: Sizes): Promise<Figures> {
  const start = performance.now()
  const cluster = createCluster({
    nodes: [
      {
        name: 'node',
        count: sizes.nodes,
        cpus: 16,
        memory: '64Gi',
        pods: 110,
        labels: {},
        extended: {},
      },
    ],
    seed: 1,
    speed: 'max',
    startsAt: Date.UTC(2026, 0, 1),
  })
  const { agenda, api } = cluster
  await agenda.run({ until: 5000 })
  const startSeconds = seconds(start)

  const create = performance.now()
  for (let i = 0; i < sizes.pods / replicas; i += 1)
    api.create(deployments, deployment(i), { manager })
  while (running(cluster) < sizes.pods) {
    if (agenda.now() > 600_000)
      throw new Error(`only ${running(cluster)} of ${sizes.pods} pods run`)
    await agenda.run({ until: agenda.now() + 1000 })
  }
  const runSeconds = seconds(create)
  const objects = countObjects(cluster)

  const before = { now: agenda.now(), version: api.version() }
  const timed = performance.now()
  await runAndRead(cluster, before.now + sizes.seconds * 1000)
  const took = seconds(timed)
  return {
    startSeconds,
    runSeconds,
    objects,
    createdPerSecond: objects / (startSeconds + runSeconds),
    simulatedPerSecond: sizes.seconds / took,
    writesPerSecond: (api.version() - before.version) / took,
    megabytes: process.memoryUsage.rss() / 1e6,
  }
}

/** Every simulated minute the CPU counters of all containers are read, as by a scrape. */
async function runAndRead(cluster: SimCluster, until: number): Promise<void> {
  const { agenda } = cluster
  const targets = targetsOf(cluster)
  while (agenda.now() < until) {
    await agenda.run({ until: Math.min(until, agenda.now() + 60_000) })
    for (const { reader, place } of targets) {
      if (reader.read(place) === undefined) throw new Error(`no ${place.containerId} to read`)
    }
  }
}

type Target = { readonly reader: CgroupReader; readonly place: ContainerPlace }

function targetsOf({ api, kernels }: SimCluster): readonly Target[] {
  const readers = new Map(
    Array.from(kernels, ([name, kernel]) => [name, readSimulatedCgroups(kernel)]),
  )
  return api.list(pods).map(({ metadata, spec, status }) => {
    const { nodeName = '' } = spec as { nodeName?: string }
    const {
      containerStatuses: [container],
    } = status as Statuses
    const reader = readers.get(nodeName)
    if (reader === undefined) throw new Error(`no node ${nodeName}`)
    const { containerID: containerId } = container
    return { reader, place: { podUid: metadata.uid, qosClass: 'Burstable', containerId } }
  })
}
type Statuses = { readonly containerStatuses: readonly [{ readonly containerID: string }] }

answerTask(measure)
