/** An hour of a dashboard on a cluster of so many nodes, with one page open. */
import { openEventStream } from '../../dashboard/event-stream.ts'
import { fillKube, openLargeCluster } from '../../dashboard/large-cluster.ts'
import { askHttp } from '../../dashboard/stage.ts'
import { answerTask } from '../fork-task.ts'

export type Size = { readonly nodes: number }

export type Figures = {
  /** Of /api/cluster. */
  readonly view: string
  readonly askedMillis: number
  /** Means over the hour, for a second of it. */
  readonly patchBytes: number
  readonly cpuMillis: number
  /** Above what the objects of the API take, which are in this process too. */
  readonly bytes: number
  readonly ringBytes: number
}

const HOUR_SECONDS = 3600
/** In which all have been asked once. */
const ROUND_SECONDS = 31

async function measure({ nodes }: Size): Promise<Figures> {
  const kube = await fillKube(nodes)
  const before = memory()
  const large = await openLargeCluster(kube)
  const stream = await openEventStream(`${large.url}/api/live/cluster`)
  await large.pass(ROUND_SECONDS)
  const cpu = process.cpuUsage()
  let patchBytes = 0
  for (let second = 0; second < HOUR_SECONDS; second += 1) {
    await large.pass(1)
    const { data } = await stream.next(({ event }) => event === 'patch')
    patchBytes += JSON.stringify(data).length
  }
  const { user, system } = process.cpuUsage(cpu)
  const start = performance.now()
  const { body: view } = await askHttp(`${large.url}/api/cluster`)
  const askedMillis = performance.now() - start
  const after = memory()
  stream.close()
  await large.stop()
  return {
    view,
    askedMillis,
    patchBytes: patchBytes / HOUR_SECONDS,
    cpuMillis: (user + system) / 1000 / HOUR_SECONDS,
    bytes: after.all - before.all,
    ringBytes: after.rings - before.rings,
  }
}

function memory(): { readonly all: number; readonly rings: number } {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { all: heapUsed + arrayBuffers, rings: arrayBuffers }
}

answerTask(measure)
