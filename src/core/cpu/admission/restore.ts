/** A kubelet's node as it runs now, from what is known of its CPUs. */
import type { Machine } from '../machine.ts'
import { holdMemory } from '../memory/fill.ts'
import type { KubeletSettings, NodeCpus } from '../node-cpus.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import { holdCpus } from '../static-policy/state.ts'
import { createNode, type KubeletConfig, type KubeletNode, type NodeState } from './node.ts'

/** Refuses what the kubelet would not start with; `config` is for who asks what another would do. */
export function restoreNode(
  cpus: NodeCpus & { readonly machine: Machine },
  config: KubeletConfig = kubeletConfigOf(cpus.settings),
): { readonly node: KubeletNode; readonly state: NodeState } | Refusal {
  const created = createNode(cpus.machine, config)
  if (isRefusal(created)) return created
  const { node, state } = created
  return {
    node,
    state: {
      cpu: state.cpu && holdCpus(state.cpu, cpus.exclusive),
      memory: state.memory && holdMemory(state.memory, cpus.memory),
    },
  }
}

/** A manager of which nothing is known does nothing. */
export const kubeletConfigOf = ({
  cpuManager,
  memoryManager,
  topologyManager,
}: KubeletSettings): KubeletConfig => ({
  ...(cpuManager?.policy === 'static' && {
    cpuManager: { options: cpuManager.options, reserved: cpuManager.reserved ?? [] },
  }),
  ...(memoryManager?.policy === 'Static' && {
    memoryManager: { reserved: memoryManager.reserved },
  }),
  ...(topologyManager && { topologyManager }),
})
