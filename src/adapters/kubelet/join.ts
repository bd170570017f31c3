/** Puts together what files, the kernel and the kubelet itself say of a node's CPUs. */
import type { KubeletFile } from '../../apis/kubelet-config.ts'
import { type CpuSet, without } from '../../core/cpu/cpu-set.ts'
import type { Machine } from '../../core/cpu/machine.ts'
import type { KubeletSettings, NodeCpus } from '../../core/cpu/node-cpus.ts'
import type { CpuCheckpoint } from './cpu-checkpoint.ts'
import type { MemoryCheckpoint } from './memory-checkpoint.ts'
import type { PodResources } from './pod-resources.ts'

/** What is not known is undefined. */
export type Sources = {
  readonly machine?: Machine | undefined
  readonly file?: KubeletFile | undefined
  readonly cpu?: CpuCheckpoint | undefined
  readonly memory?: MemoryCheckpoint | undefined
  readonly resources?: PodResources | undefined
}

/** Undefined without a trace of a kubelet. */
export function joinSources(sources: Sources): NodeCpus | undefined {
  const { machine, file, cpu, memory, resources } = sources
  if ([file, cpu, memory, resources].every((source) => source === undefined)) return undefined
  const settings = settingsOf(sources)
  const shared = settings.cpuManager?.policy === 'static' ? cpu?.shared : machine?.topology.cpus
  return {
    ...(machine && { machine }),
    settings,
    ...(shared && { shared }),
    exclusive: cpu?.exclusive ?? new Map(),
    memory: memory?.held ?? new Map(),
    devices: resources?.devices ?? [],
  }
}

/** A checkpoint is of the kubelet that runs; its file may have been changed since it started. */
function settingsOf(sources: Sources): KubeletSettings {
  const { file, cpu, memory } = sources
  const cpuPolicy = cpu?.policy ?? file?.cpuManagerPolicy
  const memoryPolicy = memory?.policy ?? file?.memoryManagerPolicy
  const reserved = cpuPolicy === 'static' ? reservedOf(sources) : undefined
  return {
    ...(cpuPolicy !== undefined && {
      cpuManager: {
        policy: cpuPolicy,
        options: file?.cpuManagerOptions ?? {},
        ...(reserved && { reserved }),
      },
    }),
    ...(file && {
      topologyManager: {
        policy: file.topologyManagerPolicy,
        scope: file.topologyManagerScope,
        options: file.topologyManagerOptions,
      },
    }),
    ...(memoryPolicy !== undefined && {
      memoryManager: {
        policy: memoryPolicy,
        reserved: memory?.reserved ?? file?.reservedMemory ?? new Map(),
      },
    }),
  }
}

/** What the running kubelet never gives away; until it was asked, what its file lists. */
function reservedOf({ machine, file, resources }: Sources): CpuSet | undefined {
  const allocatable = resources?.cpus ?? []
  if (machine && allocatable.length > 0) return without(machine.topology.cpus, allocatable)
  return file?.reservedCpus
}
