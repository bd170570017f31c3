/** What a comparison sees of a cluster, and what a rival may do to it. */
import type { CgroupPlace, CgroupReader, CgroupWriter, ContainerPlace } from '../../ports/cgroup.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Kube } from '../../ports/kube.ts'
import type { Log } from '../../ports/log.ts'
import type { Roster } from './roster.ts'

export type Stage = {
  readonly clock: Clock
  readonly kube: Kube
  readonly nodes: readonly StageNode[]
  readonly roster: Roster
  readonly log: Log
}

export type StageNode = {
  readonly name: string
  readonly cpus: number
  readonly cgroups: CgroupReader<CgroupPlace>
  readonly writer: CgroupWriter
  readonly outcome: (place: ContainerPlace) => Outcome | undefined
}

/** What came of a container's load, since it started. */
export type Outcome = {
  /** CPU time that it asked for, whatever it got. */
  readonly demandedMicros: number
  /** By bucket of the latency histogram; undefined where nothing is answered. May change later. */
  readonly answers: ArrayLike<number> | undefined
  /** Requests turned away. */
  readonly refused: number
  /** Answered after the pod's target, or turned away. */
  readonly late: number
}
