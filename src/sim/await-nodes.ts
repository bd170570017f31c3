import type { Api } from './apiserver/api.ts'
import { nodes } from './resources.ts'

type Status = { readonly conditions?: readonly { type: string; status: string }[] }

/** Ends when every node has been ready: whoever comes then may look at them at once. */
export async function awaitNodes(cluster: {
  readonly api: Pick<Api, 'subscribe'>
  readonly kernels: ReadonlyMap<string, unknown>
}): Promise<void> {
  const { api, kernels } = cluster
  const ready = new Set<string>()
  await new Promise<void>((resolve) => {
    const stop = api.subscribe(nodes, ({ object }) => {
      const { conditions = [] } = (object.status ?? {}) as Status
      const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
      if (isReady) ready.add(object.metadata.name)
      if (ready.size < kernels.size) return
      stop()
      resolve()
    })
  })
}
