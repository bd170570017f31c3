/** What is known of the CPUs of a node, for tests. */
import type { KubeletSettings, NodeCpus } from '../src/core/cpu/node-cpus.ts'

export const nodeCpus = (known: Partial<NodeCpus> = {}): NodeCpus => ({
  settings: {},
  exclusive: new Map(),
  memory: new Map(),
  devices: [],
  ...known,
})

/** With the CPU Manager's policy. */
export const managedBy = (
  policy: string,
  more: Partial<NonNullable<KubeletSettings['cpuManager']>> = {},
): KubeletSettings => ({ cpuManager: { policy, options: {}, ...more } })
