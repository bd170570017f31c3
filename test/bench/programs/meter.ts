/** What the services used, and what others took of the machine, while a run was judged. */
import { availableParallelism } from 'node:os'

import { readMachine } from '../machine-use.ts'
import { sumOf } from '../statistics.ts'
import { usageMicros } from './group.ts'
import { type Moment, secondOf } from './moment.ts'
import type { Lengths } from './scene.ts'
import type { Stage } from './stage.ts'

export type Metered = {
  /** Of each service. */
  readonly usedCores: readonly number[]
  /** Of the machine's CPU time: taken by its host, and used by who is no part of the bench. */
  readonly stealRatio: number
  readonly othersRatio: number
}

type Watched = Moment & {
  readonly groups: readonly string[]
  readonly stage: Stage
  readonly lengths: Lengths
}

const cpus = availableParallelism()

export async function meterMachine(watched: Watched): Promise<Metered> {
  const { groups, stage, lengths } = watched
  const own = [stage.treeGroup, stage.loadGroup, stage.agentGroup]
  const read = () => ({
    atMicros: performance.now() * 1000,
    services: groups.map(usageMicros),
    bench: sumOf(own.map(usageMicros)),
    machine: readMachine(),
  })
  await secondOf(lengths.warmSeconds, watched)
  const first = read()
  await secondOf(lengths.warmSeconds + lengths.seconds, watched)
  const last = read()
  const micros = last.atMicros - first.atMicros
  const busy = last.machine.busyMicros - first.machine.busyMicros
  return {
    usedCores: last.services.map((used, i) => (used - (first.services[i] ?? 0)) / micros),
    stealRatio: (last.machine.stealMicros - first.machine.stealMicros) / micros / cpus,
    othersRatio: Math.max(0, busy - (last.bench - first.bench)) / micros / cpus,
  }
}
