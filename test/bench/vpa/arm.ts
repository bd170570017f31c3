/** Who sizes the pods. Each arm finds fresh pods, written alike but for their limits. */
import type { RealStage } from '../../controller-scenes/real-stage.ts'
import type { ClusterNode } from '../../kubernetes/cluster.ts'
import type { RunningPod } from './pods.ts'

/** An arm at work. */
export type Running = {
  /** The pods run; nothing is asked of them yet. */
  readonly attach?: (pods: readonly RunningPod[]) => Promise<void> | void
  /** Before the load begins: throws if it does not work; what it wants of each workload, if it says. */
  readonly check?: () => Promise<ReadonlyMap<string, string>>
  readonly stop: () => Promise<void>
}

export type ArmNode = {
  readonly stage: RealStage
  readonly node: ClusterNode
  readonly kubeconfig: string
  /** For its files. */
  readonly folder: string
  /** Of the CPU: where its programs run. */
  readonly group: string
  readonly kubectl: (...args: readonly string[]) => Promise<string>
  readonly apply: (object: object) => Promise<void>
  /** A minute of the scenario. */
  readonly loopSeconds: number
  /** Cores that each workload used in each window of an earlier pass without limits, per pod. */
  readonly histories: ReadonlyMap<string, readonly number[]>
}

export type Arm = {
  readonly name: string
  readonly hasLimits: boolean
  readonly start?: (node: ArmNode) => Promise<Running>
}
