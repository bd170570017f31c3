/** @kubernetes/client-node as its documentation uses it; its types are not installed here. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { Pod } from '../../../src/apis/pod.ts'
import { projectPod } from '../../keep-in.ts'
import { pageSize, type Rival, type ServerPlace } from './rival.ts'

type PodList = {
  readonly items: readonly Pod[]
  readonly metadata?: { readonly _continue?: string }
}
type CoreApi = {
  listPodForAllNamespaces(query?: { limit?: number; _continue?: string }): Promise<PodList>
  readNamespacedPod(at: { name: string; namespace: string }): Promise<Pod>
}
type Config = {
  loadFromOptions(options: unknown): void
  makeApiClient(api: unknown): CoreApi
}
type Informer = {
  on(verb: 'update' | 'error', callback: (told: unknown) => void): void
  start(): Promise<void>
}
type ClientNode = {
  readonly KubeConfig: new () => Config
  readonly CoreV1Api: unknown
  readonly makeInformer: (config: Config, path: string, list: () => Promise<PodList>) => Informer
}

export async function official(folder: string, { url, caFile }: ServerPlace): Promise<Rival> {
  const file = join(folder, 'node_modules', '@kubernetes', 'client-node', 'dist', 'index.js')
  const { KubeConfig, CoreV1Api, makeInformer } = (await import(
    pathToFileURL(file).href
  )) as ClientNode
  const config = new KubeConfig()
  config.loadFromOptions({
    clusters: [{ name: 'bench', server: url, caFile, skipTLSVerify: false }],
    users: [{ name: 'nobody' }],
    contexts: [{ name: 'bench', cluster: 'bench', user: 'nobody' }],
    currentContext: 'bench',
  })
  const api = config.makeApiClient(CoreV1Api)
  return {
    listAll: async () => (await api.listPodForAllNamespaces()).items,
    listPages: async () => {
      const kept = new Map<string, Pod>()
      for (let token: string | undefined, more = true; more; more = token !== undefined) {
        const page: PodList = await api.listPodForAllNamespaces({
          limit: pageSize,
          ...(token === undefined ? {} : { _continue: token }),
        })
        for (const pod of page.items) {
          kept.set(`${pod.metadata.namespace}/${pod.metadata.name}`, projectPod(pod))
        }
        token = page.metadata?._continue || undefined
      }
      return kept
    },
    get: async (at) => api.readNamespacedPod(at),
    inform: async ({ synced, updated }) => {
      const list = async () => api.listPodForAllNamespaces()
      const informer = makeInformer(config, '/api/v1/pods', list)
      informer.on('update', updated)
      informer.on('error', (error) => console.error(error))
      await informer.start() // ends when it has listed
      synced()
    },
  }
}
