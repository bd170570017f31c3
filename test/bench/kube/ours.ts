import { createKube } from '../../../src/adapters/kube/client.ts'
import { systemClock } from '../../../src/adapters/system-clock.ts'
import { type Pod, podKeep, pods } from '../../../src/apis/pod.ts'
import { startInformer } from '../../../src/runtime/informer.ts'
import { pageSize, type Rival, type ServerPlace } from './rival.ts'

export function ours({ url, caFile }: ServerPlace): Rival {
  const kube = createKube(
    {
      server: url,
      cluster: 'the pod server',
      ca: { file: caFile, name: 'the CA of the bench' },
      insecure: false,
      serverName: undefined,
      compression: true,
      namespace: 'default',
      user: {
        name: 'nobody',
        certificate: undefined,
        secret: { kind: 'none' },
        impersonation: {},
      },
    },
    // The rival has no limits of its own, and a busy machine is no failure.
    { limits: { read: 'unlimited' }, timeoutMillis: 120_000 },
  )
  const start = (told: { readonly synced: () => void; readonly updated: () => void }) =>
    startInformer<Pod, Pod>({
      kube,
      resource: pods,
      keep: podKeep,
      project: (pod) => pod,
      pageSize,
      handlers: [({ type }) => type === 'updated' && told.updated()],
      onSynced: told.synced,
      clock: systemClock,
      random: Math.random,
      log: (_level, message, fields) => console.error(message, fields),
      signal: new AbortController().signal,
    })
  return {
    listAll: async () => (await kube.list(pods)).items,
    listPages: async () =>
      new Promise((resolve) => {
        const { store } = start({ synced: () => resolve(store), updated: () => {} })
      }),
    get: async (at) => kube.get(pods, at),
    inform: async (told) => void start(told),
  }
}
