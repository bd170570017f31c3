/** Publishes what is known of the node's CPUs as its NodeResourceTopology. */
import { writeNodeCpus } from '../../../apis/node-cpus.ts'
import { nodeResourceTopologies } from '../../../apis/node-resource-topology.ts'
import { nodes } from '../../../apis/node.ts'
import type { KubeObject } from '../../../apis/object.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Kube } from '../../../ports/kube.ts'
import type { Log } from '../../../ports/log.ts'
import type { NodeCpusSource } from '../../../ports/node-cpus.ts'
import { ownerReference } from '../../../runtime/owner-reference.ts'
import { keepApplied } from '../keep-applied.ts'

/** A pod takes seconds to start, and a scheduler should know of it before it places the next few. */
const SHORTEST_MILLIS = 5000

/** A kind that is not installed, or a right that is missing, will not be there in five seconds. */
const PATIENCE_MILLIS = 60_000

type Needs = {
  readonly nodeName: string
  readonly nodeUid: () => string
  readonly nodeCpus: NodeCpusSource
  readonly kube: Kube
  readonly clock: Clock
  readonly log: Log
}

/** May be called as often as one likes; asks every few seconds, and writes only what is new. */
export function createTopologyPublisher(needs: Needs): (signal: AbortSignal) => Promise<void> {
  const { nodeName: name, nodeUid, nodeCpus, clock } = needs
  const apply = keepApplied({
    ...needs,
    resource: nodeResourceTopologies,
    doing: 'publishing topology',
  })
  let notBefore = 0
  return async (signal) => {
    if (clock.now() < notBefore) return
    notBefore = clock.now() + SHORTEST_MILLIS
    await nodeCpus.refresh(signal)
    const cpus = nodeCpus.current()
    if (cpus?.machine === undefined) return
    const { machine } = cpus
    const owner = ownerReference<KubeObject>(nodes, { metadata: { name, uid: nodeUid() } })
    const topology = {
      ...writeNodeCpus(name, { ...cpus, machine }),
      metadata: { name, ownerReferences: [owner] },
    }
    if ((await apply(topology, signal)) === 'failed') notBefore = clock.now() + PATIENCE_MILLIS
  }
}
