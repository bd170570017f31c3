import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { InvalidInput } from '../../core/errors.ts'
import { readFileText, regularOnly } from '../text-file.ts'
import type { KubeConfig } from './config.ts'

/** Where the kubelet mounts a pod's token, CA and namespace. */
const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

type Env = Readonly<Record<string, string | undefined>>

export const isInCluster = (env: Env): boolean =>
  Boolean(env['KUBERNETES_SERVICE_HOST']) && Boolean(env['KUBERNETES_SERVICE_PORT'])

/** The service account of the pod that this process runs in. */
export function inClusterConfig({
  env,
  folder = accountFolder,
}: {
  env: Env
  folder?: string
}): KubeConfig {
  const host = env['KUBERNETES_SERVICE_HOST'] ?? ''
  const port = env['KUBERNETES_SERVICE_PORT'] ?? ''
  if (!isInCluster(env)) {
    throw new InvalidInput(
      'reading the service account: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set; ' +
        'run in a pod, or name a kubeconfig with --kubeconfig',
    )
  }
  const token = join(folder, 'token')
  const ca = join(folder, 'ca.crt')
  for (const file of [token, ca]) {
    if (!existsSync(file)) {
      throw new InvalidInput(
        `reading the service account: there is no ${file}; set automountServiceAccountToken: true ` +
          'on the pod, or name a kubeconfig with --kubeconfig',
      )
    }
  }
  const who = 'the service account of this pod'
  const namespaceFile = join(folder, 'namespace')
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    cluster: 'the cluster of this pod',
    ca: { file: ca, name: `the CA of ${who}` },
    insecure: false,
    serverName: undefined,
    compression: true,
    namespace: existsSync(namespaceFile)
      ? readFileText(namespaceFile, regularOnly).trim()
      : 'default',
    user: {
      name: who,
      certificate: undefined,
      secret: { kind: 'token', token: { file: token, name: `the token of ${who}` } },
      impersonation: {},
    },
  }
}
