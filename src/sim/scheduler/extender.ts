/**
 * The seam for schedulers of other resources, such as GPUs: what a scheduler extender answers over
 * HTTP, here as calls. `filter` sees the nodes that the scheduler found feasible and says which stay;
 * `score` adds points, 0 to 100 each, to those that stay; `bind` takes over the binding if it returns
 * true. Extenders are asked in their order.
 */
import type { SimNode } from '../nodes/node.ts'
import type { SimPod } from '../nodes/pod.ts'

export type Extender = {
  readonly filter?: (pod: SimPod, nodes: readonly SimNode[]) => ExtenderFilter
  /** By node name. */
  readonly score?: (pod: SimPod, nodes: readonly SimNode[]) => ReadonlyMap<string, number>
  readonly bind?: (pod: SimPod, node: SimNode) => boolean
}

type ExtenderFilter = {
  /** Names of the nodes that stay. */
  readonly fits: ReadonlySet<string>
  /** Why the others do not, by name. */
  readonly reasons: ReadonlyMap<string, string>
}
