/** One release of a frozen quota on the real kernel, of a service in a group of its own. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import type { Arrival } from '../../../src/sim/kernel/arrivals.ts'
import type { EstimatorCase } from '../../demand/estimator-table.ts'
import type { QueueLoad } from '../../demand/queue-plant.ts'
import {
  FROZEN_SECONDS,
  type Released,
  RELEASED_SECONDS,
  startRelease,
  type Truth,
} from '../../demand/release.ts'
import { makeCgroup, removeCgroup } from '../../kubernetes/cgroups.ts'
import { nowMicros } from '../burn.ts'
import { requestsOf } from '../model/arrivals.ts'
import { spawnIn } from '../spawn-in.ts'
import type { ServiceLoad } from './desk.ts'
import { openGroupPlant } from './group-plant.ts'
import type { ServiceOrder, ServiceReport } from './service.ts'

export type Trial = {
  readonly of: EstimatorCase
  readonly load: QueueLoad
  /** What the load uses when nothing holds it back. */
  readonly knownCores: number
  readonly seed: number
  /** Of the group that is made for it. */
  readonly path: string
}

const script = fileURLToPath(new URL('service.js', import.meta.url))
const RUN_SECONDS = FROZEN_SECONDS + RELEASED_SECONDS
/** By then a backlog is gone: what work costs from here on, with waking up for it, is what it costs. */
const SETTLED_SECONDS = FROZEN_SECONDS + 3

type Spent = ServiceReport & { readonly usageMicros: number }

export async function runTrial(trial: Trial): Promise<Released> {
  const { path } = trial
  makeCgroup(path)
  const service = spawnIn(path, [process.execPath, script], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(service, 'close')
  try {
    return await release(trial, service)
  } finally {
    service.kill('SIGKILL')
    await ended
    await removeCgroup(path)
  }
}

async function release(trial: Trial, service: ChildProcess): Promise<Released> {
  const { of, knownCores, path } = trial
  await ask(service, { do: 'prepare', load: serviceOf(trial) })
  const plant = openGroupPlant(path)
  try {
    const { sample, judge } = startRelease({
      ...of,
      plant,
      cpus: availableParallelism(),
      knownCores,
    })
    const startMicros = nowMicros()
    await ask(service, { do: 'start', startMicros })
    const sampleUntil = async (fromSeconds: number, toSeconds: number): Promise<Spent> => {
      for (let at = fromSeconds; at < toSeconds; at += of.samplingSeconds) {
        await sleep((startMicros - nowMicros()) / 1000 + at * 1000)
        sample((nowMicros() - startMicros) / 1e6)
      }
      const { usageMicros } = plant.read(0)
      return { usageMicros, ...(await ask(service, { do: 'report' })) }
    }
    const settled = await sampleUntil(0, SETTLED_SECONDS)
    const last = await sampleUntil(SETTLED_SECONDS, RUN_SECONDS)
    const served = last.servedMicros - settled.servedMicros
    const costRatio = (last.usageMicros - settled.usageMicros) / served
    return judge(truthOf(last.requests, costRatio))
  } finally {
    plant.close()
  }
}

const truthOf =
  (requests: readonly Arrival[], costRatio: number): Truth =>
  (fromSeconds, toSeconds) => {
    const came = requests.filter(
      ({ atMicros }) => atMicros >= fromSeconds * 1e6 && atMicros < toSeconds * 1e6,
    )
    const micros = came.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0)
    return (micros * costRatio) / ((toSeconds - fromSeconds) * 1e6)
  }

function serviceOf({ of, load, seed }: Trial): ServiceLoad {
  const { threads, cpuMicros, arrivals } = load
  if ('clients' in arrivals) return { loop: 'closed', threads, cpuMicros, seed, ...arrivals }
  const text = `requests rate=${arrivals.highestRate} cpu=${of.cpuMillis}ms spread=fixed seed=${seed}`
  return { loop: 'open', threads, requests: requestsOf(text, RUN_SECONDS * 1e6) }
}

async function ask(service: ChildProcess, order: ServiceOrder): Promise<ServiceReport> {
  const ended = once(service, 'close').then(() => {
    throw new Error(`asking the service to ${order.do}: it ended`)
  })
  const answer = once(service, 'message')
  service.send(order)
  const [report] = (await Promise.race([answer, ended])) as [ServiceReport]
  return report
}
