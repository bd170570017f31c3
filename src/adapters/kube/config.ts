/** Where an API server is, how it is recognised and who asks: what a kubeconfig or a pod tells. */
export type KubeConfig = {
  /** Such as https://127.0.0.1:6443, without a slash at the end; it may have a path. */
  readonly server: string
  /** What messages call it: `cluster "kind" of /root/.kube/config`. */
  readonly cluster: string
  /** The CA that signed the server's certificate; without it, those that Node knows. */
  readonly ca: TextSource | undefined
  /** The certificate is not looked at; only a kubeconfig can say so. */
  readonly insecure: boolean
  /** The name that the certificate must be for, if it is not the server's. */
  readonly serverName: string | undefined
  readonly compression: boolean
  /** Where objects are when nobody says where. */
  readonly namespace: string
  readonly user: User
}

/** Text that was written in place, or that stands in a file, which may be replaced at any time. */
export type TextSource =
  | { readonly text: string; readonly name: string }
  | { readonly file: string; readonly name: string }

export type User = {
  /** What messages call it: `user "admin" of /root/.kube/config`. */
  readonly name: string
  readonly certificate: { readonly certificate: TextSource; readonly key: TextSource } | undefined
  readonly secret: Secret
  /** `Impersonate-...` headers. */
  readonly impersonation: Readonly<Record<string, string | readonly string[]>>
}

export type Secret =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: TextSource }
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  | { readonly kind: 'exec'; readonly plugin: ExecPlugin }

/** A program that prints credentials, as the clouds' command lines are. */
export type ExecPlugin = {
  readonly apiVersion: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly installHint: string | undefined
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always'
  /** `spec.cluster` of what the plugin is told, if it wants to know. */
  readonly cluster: unknown
}

export const sourceOf = (source: TextSource): string =>
  'file' in source ? source.file : source.name
