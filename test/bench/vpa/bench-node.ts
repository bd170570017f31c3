/** The real node that all passes share, and the groups in which everything runs beside its pods. */
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'

import { openRealStage } from '../../controller-scenes/real-stage.ts'
import { setGroup } from '../programs/group.ts'
import { openStage, treeShares } from '../programs/stage.ts'
import type { ArmNode } from './arm.ts'
import { installAutoscaler } from './autoscaler.ts'
import { windowsPerPass } from './frozen.ts'
import { importImage } from './image.ts'
import { startMetricsServer } from './metrics-server.ts'
import { type Program } from './program.ts'

export const groupPrefix = 'mbcas-vpa-bench'
export const cpus = availableParallelism()

export type BenchNode = Omit<ArmNode, 'histories'> & {
  readonly loadGroup: string
  readonly close: () => Promise<void>
}

type Opening = { readonly seconds: number; readonly say: (line: string) => void }

/**
 * The control plane, the kubelet and who asks for answers run in one group that never waits for a
 * CPU; what an arm runs beside the pods has a group like a process of the system.
 */
export async function openBenchNode({ seconds, say }: Opening): Promise<BenchNode> {
  const groups = openStage(groupPrefix)
  const closing: (() => Promise<void>)[] = [groups.close]
  const close = async (): Promise<void> => {
    for (const one of closing.toReversed()) await one()
  }
  try {
    const stage = await openRealStage({ nodes: 1 })
    closing.push(stage.close)
    const node = stage.nodeOf('node-0')
    const folder = dirname(dirname(node.kubeletFolder))
    setGroup({ path: node.cgroupRoot.split('/')[1] ?? '', shares: treeShares })
    const { kubeconfig, kubectl, apply } = stage
    const { agentGroup: group, loadGroup } = groups
    await importImage(node, folder)
    await installAutoscaler({ kubectl })
    const metrics: Program = await startMetricsServer({
      kubeconfig,
      folder,
      group: loadGroup,
      kubectl,
      apply,
    })
    closing.push(metrics.stop)
    say('the cluster is up, with metrics-server')
    const loopSeconds = seconds / windowsPerPass
    return { stage, node, kubeconfig, folder, group, loadGroup, kubectl, apply, loopSeconds, close }
  } catch (error) {
    await close()
    throw error
  }
}
