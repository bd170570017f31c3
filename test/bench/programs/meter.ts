/** What the services used, and what others took of the machine, while a run was judged. */
import { availableParallelism } from 'node:os'

import { readMachine } from '../machine-use.ts'
import { sumOf } from '../statistics.ts'
import { usageMicros } from './group.ts'
import { type Moment, secondOf } from './moment.ts'
import type { Lengths } from './scene.ts'
import type { Stage } from './stage.ts'

export type Metered = {
  /** Of each group. */
  readonly usedCores: readonly number[]
  /** Of who asks, and of our agent. */
  readonly loadCores: number
  readonly agentCores: number
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
  const read = () => ({
    atMicros: performance.now() * 1000,
    groups: groups.map(usageMicros),
    tree: usageMicros(stage.treeGroup),
    load: usageMicros(stage.loadGroup),
    agent: usageMicros(stage.agentGroup),
    machine: readMachine(),
  })
  await secondOf(lengths.warmSeconds, watched)
  const first = read()
  await secondOf(lengths.warmSeconds + lengths.seconds, watched)
  const last = read()
  const micros = last.atMicros - first.atMicros
  const coresOf = (part: 'tree' | 'load' | 'agent') => (last[part] - first[part]) / micros
  const own = sumOf([coresOf('tree'), coresOf('load'), coresOf('agent')])
  const busy = (last.machine.busyMicros - first.machine.busyMicros) / micros
  return {
    usedCores: last.groups.map((used, i) => (used - (first.groups[i] ?? 0)) / micros),
    loadCores: coresOf('load'),
    agentCores: coresOf('agent'),
    stealRatio: (last.machine.stealMicros - first.machine.stealMicros) / micros / cpus,
    othersRatio: Math.max(0, busy - own) / cpus,
  }
}
