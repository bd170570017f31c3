/** A node's kubelet as its agent has published it, for `mbcas cpu plan --node`. */
import { readNodeCpus, type PublishedCpus } from '../../../apis/node-cpus.ts'
import { nodeResourceTopologies } from '../../../apis/node-resource-topology.ts'
import { nodes } from '../../../apis/node.ts'
import { kubeletConfigOf, restoreNode } from '../../../core/cpu/admission/restore.ts'
import { noCpus } from '../../../core/cpu/cpu-set.ts'
import { InvalidInput } from '../../../core/errors.ts'
import type { Kube } from '../../../ports/kube.ts'
import { missing } from '../explain/missing.ts'
import { orNothing } from '../read.ts'
import { kubeletConfig, type KubeletFlags } from './kubelet-config.ts'
import { type Start, startOf } from './plan.ts'

const doing = 'planning on a node'

/** Where a flag is given, as if its kubelet were set up so; what runs there stays. */
export async function knownStart(
  kube: Pick<Kube, 'get' | 'list'>,
  name: string,
  flags: KubeletFlags,
): Promise<Start> {
  const cpus = await publishedBy(kube, name)
  requireSettings(cpus, name, flags)
  const config = kubeletConfig(flags, kubeletConfigOf(cpus.settings))
  return startOf(cpus.machine, restoreNode(cpus, config))
}

async function publishedBy(kube: Pick<Kube, 'get' | 'list'>, name: string): Promise<PublishedCpus> {
  const topology = await orNothing(kube.get(nodeResourceTopologies, { name }))
  if (topology !== undefined) return readNodeCpus(topology)
  const node = await orNothing(kube.get(nodes, { name }))
  if (node === undefined) throw await missing(kube, { doing, noun: 'node', resource: nodes, name })
  throw new InvalidInput(
    `${doing}: ${name} has no NodeResourceTopology; is an agent running there (mbcas agent --node ${name})? Or describe its machine with --topology`,
  )
}

/** A wrong guess would be a wrong plan. */
function requireSettings({ settings }: PublishedCpus, name: string, flags: KubeletFlags): void {
  const { cpuManager, topologyManager } = settings
  const { policy = cpuManager?.policy, reservedCpus, reservedCount } = flags
  const reserved = reservedCpus ?? reservedCount ?? cpuManager?.reserved
  const needs = {
    '--policy': policy,
    '--reserved-cpus': policy === 'static' ? reserved : noCpus,
    '--topology-policy': flags.topologyPolicy ?? topologyManager?.policy,
  }
  const unknown = Object.entries(needs).flatMap(([flag, value]) =>
    value === undefined ? [flag] : [],
  )
  if (unknown.length === 0) return
  throw new InvalidInput(
    `${doing}: the agent on ${name} does not know how its kubelet is set up; start it with --kubelet-config FILE, or say ${unknown.join(' and ')} here`,
  )
}
