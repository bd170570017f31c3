/** How a kubelet's managers are set up, as attributes of a NodeResourceTopology, both ways. */
import { formatCpuSet, parseCpuSet } from '../core/cpu/cpu-set.ts'
import type { KubeletSettings } from '../core/cpu/node-cpus.ts'
import type { Attributes, WrittenAttributes } from './attributes.ts'
import {
  formatOptions,
  formatReservedMemory,
  parseOptions,
  parseReservedMemory,
} from './kubelet-flags.ts'
import { attributeNames as names } from './node-resource-topology.ts'

export const writeSettings = ({
  cpuManager,
  topologyManager,
  memoryManager,
}: KubeletSettings): WrittenAttributes => ({
  ...(topologyManager && {
    [names.topologyPolicy]: topologyManager.policy,
    [names.topologyScope]: topologyManager.scope,
    [names.topologyOptions]: unlessEmpty(formatOptions(topologyManager.options)),
  }),
  ...(cpuManager && {
    [names.cpuPolicy]: cpuManager.policy,
    [names.cpuOptions]: unlessEmpty(formatOptions(cpuManager.options)),
    [names.reservedCpus]: cpuManager.reserved && formatCpuSet(cpuManager.reserved),
  }),
  ...(memoryManager && {
    [names.memoryPolicy]: memoryManager.policy,
    [names.reservedMemory]: unlessEmpty(formatReservedMemory(memoryManager.reserved)),
  }),
})

const unlessEmpty = (text: string): string | undefined => (text === '' ? undefined : text)

export function readSettings({ get }: Attributes): KubeletSettings {
  const [cpuPolicy, reserved] = [get(names.cpuPolicy), get(names.reservedCpus)]
  const topologyPolicy = get(names.topologyPolicy)
  const [memoryPolicy, reservedMemory] = [get(names.memoryPolicy), get(names.reservedMemory)]
  return {
    ...(cpuPolicy !== undefined && {
      cpuManager: {
        policy: cpuPolicy,
        options: parseOptions(get(names.cpuOptions) ?? ''),
        ...(reserved !== undefined && { reserved: parseCpuSet(reserved) }),
      },
    }),
    ...(topologyPolicy !== undefined && {
      topologyManager: {
        policy: topologyPolicy,
        scope: get(names.topologyScope) ?? 'container',
        options: parseOptions(get(names.topologyOptions) ?? ''),
      },
    }),
    ...(memoryPolicy !== undefined && {
      memoryManager: {
        policy: memoryPolicy,
        reserved: reservedMemory === undefined ? new Map() : parseReservedMemory(reservedMemory),
      },
    }),
  }
}

/** As others spell policy and scope together. */
export function policyWord({
  policy,
  scope,
}: NonNullable<KubeletSettings['topologyManager']>): string {
  const word = policyWords[policy]
  return word === undefined ? 'None' : `${word}${scope === 'pod' ? 'Pod' : 'Container'}Level`
}

const policyWords: Readonly<Record<string, string>> = {
  'best-effort': 'BestEffort',
  restricted: 'Restricted',
  'single-numa-node': 'SingleNUMANode',
}
