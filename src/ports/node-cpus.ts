import type { NodeCpus } from '../core/cpu/node-cpus.ts'

export type { NodeCpus }

/** Who knows the CPUs of a node. */
export type NodeCpusSource = {
  /**
   * What is known now, at the price of a look whether files changed; the same value while nothing
   * did. Undefined where there is no kubelet to learn from.
   */
  readonly current: () => NodeCpus | undefined
  /** Asks for what only the kubelet itself can tell. Never throws: what was known stands. */
  readonly refresh: (signal: AbortSignal) => Promise<void>
}
