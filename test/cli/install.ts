import { applyCrds } from '../../src/adapters/kube/apply-crds.ts'
import { marketSettings } from '../../src/apis/market-settings.ts'
import { nodeMarkets } from '../../src/apis/node-market.ts'
import { nodeResourceTopologies } from '../../src/apis/node-resource-topology.ts'
import type { KubeObject, Resource } from '../../src/apis/object.ts'
import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { isMissingType, type Kube } from '../../src/ports/kube.ts'
import { until } from '../until.ts'

/** Our definitions on a cluster that runs in real time; returns once they are served. */
export async function install(kube: Kube): Promise<void> {
  await applyCrds(kube)
  const isServed = async (): Promise<boolean> => {
    try {
      const kinds = [marketSettings, nodeMarkets, nodeResourceTopologies, podAllocations]
      await Promise.all(kinds.map(async (kind: Resource<KubeObject>) => kube.list(kind)))
      return true
    } catch (error) {
      if (isMissingType(error)) return false
      throw error
    }
  }
  await until('our resource types', isServed)
}
