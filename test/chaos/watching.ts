/** An informer over a server in memory, with what it asked and was told, and answers put in its way. */
import type { KubeObject, Resource } from '../../src/apis/object.ts'
import { ApiError, type Kube, type ListQuery, type WatchQuery } from '../../src/ports/kube.ts'
import { type InformerOptions, startInformer } from '../../src/runtime/informer.ts'
import type { Change } from '../../src/runtime/store.ts'
import { manualClock, settled } from '../manual-clock.ts'
import { memoryKube } from '../memory-kube.ts'

export type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> }

export const configMaps: Resource<ConfigMap> = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
}

export const namespaces: Resource<KubeObject> = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
}

export const configMap = (name: string, value = '', namespace = 'default'): ConfigMap => ({
  metadata: { name, namespace },
  data: { value },
})

export const refusal = (code: number, reason: string, retryAfterSeconds?: number): ApiError =>
  new ApiError('in a test', { code, reason, said: 'no', retryAfterSeconds })

/** `stall` never answers; a function runs before the server does; an array is a whole watch. */
type ListAnswer = Error | 'stall' | (() => void)
type WatchAnswer = Error | 'stall' | readonly unknown[]

/** Answers in this order before the server is asked. */
export type Script = { readonly list: ListAnswer[]; readonly watch: WatchAnswer[] }

type Asking = { readonly list: ListQuery } | { readonly watch: WatchQuery }
export type Asked = Asking & { readonly at: number }

const aborted = async (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    const stop = () => reject(new Error('aborted'))
    if (signal?.aborted === true) stop()
    signal?.addEventListener('abort', stop)
  })

function scripted(kube: Kube, script: Script, ask: (asked: Asking) => void): Kube {
  const list: Kube['list'] = async (resource, query, options) => {
    ask({ list: query ?? {} })
    const answer = script.list.shift()
    if (answer instanceof Error) throw answer
    if (answer === 'stall') return aborted(options?.signal)
    answer?.()
    return kube.list(resource, query, options)
  }
  const watch: Kube['watch'] = async function* watch(resource, query, options) {
    ask({ watch: query })
    const answer = script.watch.shift()
    if (answer instanceof Error) throw answer
    if (answer === 'stall') await aborted(options.signal)
    else if (answer === undefined) yield* kube.watch(resource, query, options)
    else for (const event of answer) yield event as never
  }
  return { ...kube, list, watch }
}

/** `told` has a line a change, such as `updated default/a 1->2`; time is `clock`'s. */
export function watching({
  script = {},
  ...options
}: Partial<InformerOptions<ConfigMap, ConfigMap, 'value'>> & {
  readonly script?: Partial<Script>
} = {}) {
  const clock = manualClock()
  const server = memoryKube()
  const answers: Script = { list: [], watch: [], ...script }
  const asked: Asked[] = []
  const told: string[] = []
  const logged: { readonly message: string; readonly [field: string]: unknown }[] = []
  const stop = new AbortController()
  const valueOf = ({ data }: ConfigMap) => data?.['value'] ?? ''
  const tell = (change: Change<ConfigMap>) => {
    const before = 'before' in change ? valueOf(change.before) : ''
    const now = 'now' in change ? valueOf(change.now) : ''
    told.push(`${change.type} ${change.key} ${before}->${now}`)
  }
  const kube = scripted(server, answers, (query) => asked.push({ at: clock.now(), ...query }))
  const start = () =>
    startInformer<ConfigMap, ConfigMap, 'value'>({
      kube,
      resource: configMaps,
      keep: 'whole',
      project: (object) => object,
      indexes: { value: (object) => [valueOf(object)] },
      clock,
      random: () => 0.5,
      log: (_, message, fields) => logged.push({ message, ...fields }),
      signal: stop.signal,
      ...options,
      handlers: [tell, ...(options.handlers ?? [])],
    })
  /** Gives what was told since it was last asked for. */
  const news = async () => {
    for (let i = 0; i < 5; i += 1) await settled()
    return told.splice(0)
  }
  const lists = () => asked.flatMap((one) => ('list' in one ? [one.list] : []))
  const watches = () => asked.flatMap((one) => ('watch' in one ? [one.watch] : []))
  const put = async (...all: ConfigMap[]) => {
    for (const one of all) await server.create(configMaps, one)
  }
  const change = async (name: string, value: string) =>
    server.patch(
      configMaps,
      { namespace: 'default', name },
      { type: 'merge', body: { data: { value } } },
    )
  const remove = async (name: string) => server.remove(configMaps, { namespace: 'default', name })
  return {
    clock,
    server,
    answers,
    asked,
    lists,
    watches,
    logged,
    news,
    put,
    change,
    remove,
    start,
    stop: () => stop.abort(),
  }
}
