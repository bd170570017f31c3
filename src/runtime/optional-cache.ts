/** A cache of a resource that the server may not have, now or yet. */
import type { KubeObject, Resource } from '../apis/object.ts'
import type { Clock } from '../ports/clock.ts'
import { isMissingType, isReason, type Kube } from '../ports/kube.ts'
import type { Log } from '../ports/log.ts'
import { startInformer, type Informer, type InformerOptions } from './informer.ts'
import type { StoreView } from './store.ts'

export type OptionalCache<P, I extends string = never> = Pick<
  StoreView<P, I>,
  'get' | 'byIndex'
> & {
  /** It is known that the server lacks it, or what it has; or that it does not tell, to who can do without. */
  readonly hasSynced: () => boolean
  /** Resolves after an abort. */
  readonly stopped: Promise<void>
}

/** A definition that is installed later is found so soon. */
const LOOK_AGAIN_MILLIS = 180_000
const TRY_AGAIN_MILLIS = 5000

export function startOptionalCache<T extends KubeObject, P, I extends string = never>(
  options: InformerOptions<T, P, I> & {
    /** Undefined: it is allowed again. */
    readonly onForbidden?: (error: unknown) => void
  },
): OptionalCache<P, I> {
  const { resource, clock, log, signal } = options
  let informer: Informer<P, I> | undefined
  let isLacking = false
  let isForbidden = false
  const { onForbidden } = options
  const onRefused =
    onForbidden &&
    ((error: unknown): void => {
      isForbidden = true
      onForbidden(error)
    })

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const found = await isServed({ ...options, onRefused })
      if (found === true) {
        if (isForbidden) onForbidden?.(undefined)
        informer = startInformer(options)
        await informer.stopped
        return
      }
      if (found === false && !isLacking) {
        isLacking = true
        log('info', 'resource not served', { resource: `${resource.plural}.${resource.group}` })
      }
      await clock.sleep(found === false ? LOOK_AGAIN_MILLIS : TRY_AGAIN_MILLIS, signal)
    }
  }

  return {
    get: (key) => informer?.store.get(key),
    byIndex: (index, value) => informer?.store.byIndex(index, value) ?? [],
    hasSynced: () => informer?.hasSynced() ?? (isLacking || isForbidden),
    stopped: run(),
  }
}

type Asking = {
  readonly kube: Kube
  readonly resource: Resource<KubeObject>
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
  readonly onRefused: ((error: unknown) => void) | undefined
}

/** Undefined when the server does not say. */
async function isServed(asking: Asking): Promise<boolean | undefined> {
  const { kube, resource, log, signal, onRefused } = asking
  try {
    await kube.list(resource, { limit: 1 }, { signal })
    return true
  } catch (error) {
    if (isMissingType(error)) return false
    if (isReason(error, 'Forbidden')) onRefused?.(error)
    if (!signal.aborted) log('warn', 'asking for a resource', { resource: resource.plural, error })
    return undefined
  }
}
