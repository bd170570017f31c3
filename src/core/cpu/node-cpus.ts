/**
 * What is known of the CPUs of one node: where they are, how its kubelet's managers are set up, and
 * what they have given away. What nobody could say is absent.
 */
import type { Bytes } from '../units.ts'
import type { ByContainer } from './by-container.ts'
import type { CpuSet } from './cpu-set.ts'
import type { Machine } from './machine.ts'
import type { Block } from './memory/state.ts'
import type { GivenOptions } from './static-policy/options.ts'

export type NodeCpus = {
  /** Absent where the kernel does not tell. */
  readonly machine?: Machine
  readonly settings: KubeletSettings
  /** CPUs of the containers that have none of their own; without a static policy, all. */
  readonly shared?: CpuSet
  /** CPUs that containers have for themselves alone. */
  readonly exclusive: ByContainer<CpuSet>
  /** Memory that the Memory Manager promised on NUMA nodes; only under its static policy. */
  readonly memory: ByContainer<readonly Block[]>
  readonly devices: readonly NumaDevices[]
}

/** CPUs of those without some of their own; undefined where nobody has, or nobody knows. */
export const poolOf = ({ settings, shared }: NodeCpus): CpuSet | undefined =>
  settings.cpuManager?.policy === 'static' ? shared : undefined

/** In the kubelet's own words. A manager of which nobody could say anything is absent. */
export type KubeletSettings = {
  readonly cpuManager?: {
    /** `none` or `static`. */
    readonly policy: string
    readonly options: GivenOptions
    /** CPUs that are never given away; only under the static policy. */
    readonly reserved?: CpuSet
  }
  readonly topologyManager?: {
    readonly policy: string
    readonly scope: string
    readonly options: GivenOptions
  }
  readonly memoryManager?: {
    /** `None` or `Static`. */
    readonly policy: string
    /** By NUMA node, then by resource name. */
    readonly reserved: ReadonlyMap<number, Readonly<Record<string, Bytes>>>
  }
}

/** Devices of one resource that are near the same NUMA nodes; those near none in particular are not told. */
export type NumaDevices = {
  readonly resource: string
  /** Ascending ids. */
  readonly numa: readonly number[]
  readonly allocatable: number
  /** Of those, what no container holds. */
  readonly available: number
}
