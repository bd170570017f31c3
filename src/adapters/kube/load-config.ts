import { homedir } from 'node:os'

import type { KubeConfig } from './config.ts'
import { inClusterConfig, isInCluster } from './in-cluster.ts'

export type LoadConfigOptions = {
  /** `--kubeconfig` */
  readonly kubeconfig?: string | undefined
  /** `--context` */
  readonly context?: string | undefined
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly home?: string
}

/** As controller-runtime looks: the flag, `KUBECONFIG`, the pod's service account, ~/.kube/config. */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<KubeConfig> {
  const { kubeconfig, context, env = process.env, home = homedir() } = options
  const asked = kubeconfig !== undefined || context !== undefined || Boolean(env['KUBECONFIG'])
  if (!asked && isInCluster(env)) return inClusterConfig({ env })
  // Loaded only here: an agent in a pod would pay for schemas that it never uses.
  const { loadKubeconfig } = await import('./kubeconfig.ts')
  return loadKubeconfig({
    path: kubeconfig,
    env,
    home,
    ...(context === undefined ? {} : { context }),
  })
}
