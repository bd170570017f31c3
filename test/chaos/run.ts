/**
 * Does the reflector lose or confuse anything? Objects are created, updated and deleted at random
 * through a direct way to the server, while an informer follows through a bad one. When the faults
 * are over, its cache must equal a fresh list, and nothing that it told may have been out of order.
 */
import { isDeepStrictEqual } from 'node:util'

import type { KubeObject, Resource } from '../../src/apis/object.ts'
import { type Random, seededRandom } from '../../src/core/random.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Kube } from '../../src/ports/kube.ts'
import { type InformerOptions, startInformer } from '../../src/runtime/informer.ts'
import type { ReflectorCounts } from '../../src/runtime/reflector.ts'
import { keyOf } from '../../src/runtime/store.ts'
import { createWitness } from './witness.ts'

export type ChaosOptions<T extends KubeObject> = {
  readonly kubeDirect: Kube
  readonly kubeThroughProxy: Kube
  readonly resource: Resource<T>
  /** An object of that name whose content depends on `value`. */
  readonly make: (at: { namespace: string; name: string; value: string }) => T
  readonly operations: number
  readonly seed: number
  /** Must exist. */
  readonly namespaces: readonly string[]
  readonly concurrency?: number
  readonly objects?: number
  readonly informer?: Partial<InformerOptions<T, T, never>>
  /** The informer's. */
  readonly clock: Clock
  /** Lets so much time of that clock pass. */
  readonly wait: (duration: number) => Promise<void>
  readonly afterOperation?: () => void | Promise<void>
  /** Ends the faults. */
  readonly settle: () => void
  readonly settleMs?: number
}

export type ChaosResult = {
  readonly objects: number
  readonly changes: number
  readonly counts: Readonly<ReflectorCounts>
  /** What was told out of order; empty is right. */
  readonly violations: readonly string[]
  /** Where cache and server differ in the end; empty is right. */
  readonly differences: readonly string[]
}

export async function runChaos<T extends KubeObject>(
  options: ChaosOptions<T>,
): Promise<ChaosResult> {
  const { kubeThroughProxy, resource, operations, seed, clock, wait } = options
  const { settleMs = 300_000 } = options
  const stop = new AbortController()
  const witness = createWitness()
  const informer = startInformer<T, T>({
    kube: kubeThroughProxy,
    resource,
    keep: 'whole',
    project: (object) => object,
    clock,
    random: seededRandom(seed),
    log: () => undefined,
    signal: stop.signal,
    pageSize: 50,
    idleTimeoutMs: 60_000,
    ...options.informer,
    handlers: [witness.see],
  })

  const { counts, store } = informer
  const differences = async () => compare(store.list(), await everything(options))
  const converge = async () => {
    for (let waited = 0; waited < settleMs; waited += 5000) {
      await wait(5000)
      if (informer.hasSynced() && (await differences()).length === 0) return []
    }
    return differences()
  }
  try {
    await operate(options, operations, seededRandom(seed + 1))
    options.settle()
    let left = await converge()
    if (left.length === 0) {
      // A cache can be right by chance with a dead watch: it must also follow what comes now.
      await operate(options, 100, seededRandom(seed + 2))
      left = await converge()
    }
    const { changes, violations } = witness
    return { objects: store.size, changes: changes(), counts, violations, differences: left }
  } finally {
    stop.abort()
    await informer.stopped
  }
}

/** Each worker has names of its own, so that it knows what exists and no write conflicts. */
async function operate<T extends KubeObject>(
  options: ChaosOptions<T>,
  operations: number,
  random: Random,
): Promise<void> {
  const { kubeDirect, resource, make, namespaces, afterOperation } = options
  const { concurrency = 16, objects = 400 } = options
  let started = 0
  const exists = new Set((await everything(options)).map(keyOf))
  const perWorker = Math.ceil(objects / concurrency)
  const work = async (worker: number) => {
    while (started < operations) {
      const value = String((started += 1))
      const number = worker * perWorker + Math.floor(random() * perWorker)
      const namespace = namespaces[number % namespaces.length] ?? ''
      const at = { namespace, name: `chaos-${number}` }
      const key = `${namespace}/${at.name}`
      const object = make({ ...at, value })
      if (!exists.has(key)) {
        await kubeDirect.create(resource, object)
        exists.add(key)
      } else if (random() < 0.3) {
        await kubeDirect.remove(resource, at)
        exists.delete(key)
      } else {
        const body = { ...object, metadata: { annotations: { value } } }
        await kubeDirect.patch(resource, at, { type: 'merge', body })
      }
      await afterOperation?.()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, async (_, worker) => work(worker)))
}

/** Only what this run made: a namespace can hold more. */
async function everything<T extends KubeObject>({
  kubeDirect,
  resource,
  informer,
}: ChaosOptions<T>): Promise<readonly T[]> {
  return (await kubeDirect.list(resource, informer?.selection)).items
}

function compare(cached: readonly KubeObject[], listed: readonly KubeObject[]): string[] {
  const held = new Map(cached.map((object) => [keyOf(object), object]))
  const differences: string[] = []
  for (const object of listed) {
    const key = keyOf(object)
    const other = held.get(key)
    held.delete(key)
    if (other === undefined) differences.push(`${key} is missing`)
    else if (!isDeepStrictEqual(plain(other), plain(object))) {
      const { uid, resourceVersion } = other.metadata
      const { metadata } = object
      differences.push(
        `${key} is ${uid} at ${resourceVersion}, expected ${metadata.uid} at ${metadata.resourceVersion}`,
      )
    }
  }
  return [...differences, ...Array.from(held.keys(), (key) => `${key} should be gone`)]
}

/** Items of a list do not say their kind, objects of a watch do. */
const plain = (object: KubeObject) => ({ ...object, apiVersion: undefined, kind: undefined })
