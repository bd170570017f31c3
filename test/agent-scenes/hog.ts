/** Who takes all the CPU that there is, and what an agent says of a pod beside it. */
import assert from 'node:assert/strict'

import { parseLoad } from '../../src/apis/load.ts'
import { loadedPod, type Platform } from '../platform.ts'

export const hog = (given: Parameters<typeof loadedPod>[1] = {}) =>
  loadedPod('hog', { load: 'steady cpu=4 threads=8', limit: '', ...given })

/** From now on. */
export function load({ cluster, see }: Platform, name: string, words: string): void {
  const id = see(name).pod.status?.containerStatuses?.[0]?.containerID?.replace(/^.*\//, '') ?? ''
  cluster.kernels.get('node-0')?.setLoad(id, parseLoad(words))
}

export const viewOf = ({ agent }: Platform, name: string) => {
  const found = agent.view().pods.find((pod) => pod.name === name)
  assert.ok(found)
  return found
}
