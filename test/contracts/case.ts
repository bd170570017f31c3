/** What a contract is: one thing that any Kubernetes API server must do for us, as the real one does. */
import type { Kube } from '../../src/ports/kube.ts'

/** What not every server has; a case that needs more than a server can is not run on it. */
export type Capability =
  | 'kubelet' // pods run, and are resized
  | 'scheduler'
  | 'deployments'
  | 'garbage-collector'
  | 'expiry' // `expireToken`
  | 'kubectl'

export type Ended = { readonly code: number; readonly out: string; readonly err: string }

export type ContractServer = {
  readonly name: string
  readonly kube: Kube
  /** Path of a file that makes its user an administrator. */
  readonly kubeconfig: string
  readonly kubectl?: (args: readonly string[], input?: string) => Promise<Ended>
  /** A continue token that the server takes no more, made of one that it gave. */
  readonly expireToken?: (token: string) => Promise<string>
  /** A node where pods can run: linux, at least one CPU and not more than 100. */
  readonly nodeName: string
  readonly can: ReadonlySet<Capability>
}

export type Trial = {
  /** Fresh, and deleted afterwards. */
  readonly namespace: string
}

export type Case = {
  /** A sentence about what the server does. */
  readonly name: string
  readonly needs?: readonly Capability[]
  /** Needs much of the node, or changes what others see. */
  readonly alone?: true
  readonly run: (server: ContractServer, t: Trial) => Promise<void>
}
