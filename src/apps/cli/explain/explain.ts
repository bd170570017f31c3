/** `mbcas explain`: why something is as it is. */
import type { View } from '../output.ts'
import { explainAllocation } from './allocation.ts'
import type { Asking } from './asking.ts'
import { explainNode } from './node.ts'
import { explainPod } from './pod.ts'

export type Explained = 'pod' | 'node' | 'allocation'

const ways: Readonly<Record<Explained, (asking: Asking, name: string) => Promise<View>>> = {
  pod: explainPod,
  node: explainNode,
  allocation: explainAllocation,
}

export const explain = async (kind: Explained, asking: Asking, name: string): Promise<View> =>
  ways[kind](asking, name)
