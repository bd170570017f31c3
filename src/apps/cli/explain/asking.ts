import type { Clock } from '../../../ports/clock.ts'
import type { Kube } from '../../../ports/kube.ts'

/** Who asks, of what, and what there is to explain it with. */
export type Asking = {
  readonly kube: Pick<Kube, 'get' | 'list'>
  readonly clock: Pick<Clock, 'wall'>
  /** `-n`, if it was given. */
  readonly namespace: string | undefined
  /** The namespace of the kubeconfig's context. */
  readonly usual: string
  /** docs/troubleshooting.md */
  readonly entries: string
}
