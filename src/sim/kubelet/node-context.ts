import type { Load } from '../../apis/load.ts'
/** What the pods of a node share. */
import type { Random } from '../../core/random.ts'
import type { Agenda } from '../agenda.ts'
import type { Api } from '../apiserver/api.ts'
import type { NodeKernel } from '../kernel/kernel.ts'
import type { SimContainer, SimPod } from '../nodes/pod.ts'
import type { RecordEvent } from '../record-event.ts'

export type LoadOf = (pod: SimPod, container: SimContainer) => Load

export type NodeContext = {
  readonly api: Api
  readonly agenda: Agenda
  readonly kernel: NodeKernel
  readonly random: Random
  readonly record: RecordEvent
  readonly loadOf: LoadOf
  readonly hostIP: string
  readonly takeAddress: () => string
  readonly giveBack: (address: string) => void
  /** A pod has ended: there is room again. */
  readonly onEnded: () => void
}
