/** Objects out of the bytes of an answer: one, those of a list, or those of the events of a watch. */
import { type Keep, long, mostKeptBytes, short, whole } from '../../apis/keep.ts'
import type { KubeObject } from '../../apis/object.ts'
import { ConnectionFailed, type Page, type WatchEvent } from '../../ports/kube.ts'
import { apiErrorOf, type Status } from './answers.ts'
import { documentNodeOf, objectNodeOf, type SieveNode } from './sieve-nodes.ts'
import { Sieve } from './sieve.ts'

/** Kept whole: the server's own bound is 3 MiB in etcd's form, which JSON makes somewhat longer. */
const mostWholeBytes = 8 * 1024 * 1024

/** A token of a page is opaque, and a few hundred bytes long. */
const listKeep = { metadata: { resourceVersion: short, continue: 4096 } }
const eventKeep = { type: short }
/** An ERROR has a `Status` in the place of an object. */
const statusKeep = { code: short, reason: short, message: long, details: whole } as const

const mostOf = (keep: Keep | undefined): number =>
  keep === undefined || keep === whole ? mostWholeBytes : mostKeptBytes

/** Whoever answers so is no Kubernetes: everybody relies on it. */
const hasMetadata = ({ metadata }: { readonly metadata?: unknown }): boolean =>
  typeof metadata === 'object' && metadata !== null
const NO_METADATA = 'expected an object with metadata, got one without'

type Chunks = AsyncIterable<Uint8Array>

export async function readObject(chunks: Chunks, keep: Keep): Promise<KubeObject> {
  let found: KubeObject | undefined
  const onObject = (object: KubeObject) => void (found = object)
  const sieve = new Sieve({ root: objectNodeOf(keep), most: mostKeptBytes, onObject })
  for await (const chunk of chunks) sieve.write(chunk)
  if (found === undefined || !sieve.isAtEnd) throw new SyntaxError(`it ends after ${sieve.head}`)
  if (!hasMetadata(found)) throw new SyntaxError(NO_METADATA)
  if (found.unread !== undefined) throw new SyntaxError(found.unread)
  return found
}

type ListRest = { readonly metadata?: { resourceVersion?: string; continue?: string } }

export async function readList<T extends KubeObject>(
  chunks: Chunks,
  keep: Keep | undefined,
): Promise<Page<T>> {
  const items: T[] = []
  let rest: ListRest | undefined
  let bytes = 0
  const sieve = new Sieve({
    root: documentNodeOf(listKeep, 'items', objectNodeOf(keep ?? whole)),
    most: mostOf(keep),
    onObject: (object) => void items.push(object as T),
    onDocument: (found) => void (rest = found as ListRest),
  })
  for await (const chunk of chunks) {
    bytes += chunk.length
    sieve.write(chunk)
  }
  if (rest === undefined) throw new SyntaxError(`it ends after ${sieve.head}`)
  if (!items.every(hasMetadata)) throw new SyntaxError(NO_METADATA)
  const { resourceVersion = '', continue: next } = rest.metadata ?? {}
  return { items, resourceVersion, next: next === '' ? undefined : next, bytes }
}

/** `request` names it in errors. */
export async function* watchEvents<T extends KubeObject>(
  chunks: Chunks,
  request: string,
  keep?: Keep,
): AsyncGenerator<WatchEvent<T>> {
  let object: KubeObject | undefined
  let events: { readonly type: string | undefined; readonly object: KubeObject | undefined }[] = []
  const sieve = new Sieve({
    root: documentNodeOf(eventKeep, 'object', objectOfEvent(keep)),
    most: mostOf(keep),
    onObject: (found) => void (object = found),
    onDocument: (rest) => {
      events.push({ type: (rest as { type?: string }).type, object })
      object = undefined
    },
  })
  for await (const chunk of chunks) {
    try {
      sieve.write(chunk)
    } catch (error) {
      throw garbled(`${request}: expected an event, got ${sieve.head}`, error)
    }
    if (events.length === 0) continue
    const come = events
    events = []
    for (const event of come) yield eventOf<T>(event, request, sieve.head)
  }
  if (!sieve.isAtEnd) {
    throw garbled(`${request}: the watch broke off within an event: ${sieve.head}`)
  }
}

function objectOfEvent(keep: Keep | undefined): SieveNode {
  if (keep === undefined || typeof keep !== 'object') return objectNodeOf(whole)
  return objectNodeOf({ ...statusKeep, ...keep })
}

type Sent = { readonly type: string | undefined; readonly object: KubeObject | undefined }

function eventOf<T extends KubeObject>(
  { type, object }: Sent,
  request: string,
  head: string,
): WatchEvent<T> {
  if (object === undefined) throw garbled(`${request}: expected an event, got ${head}`)
  switch (type ?? '') {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      if (!hasMetadata(object)) throw garbled(`${request}: ${NO_METADATA}`)
      return { type: type as 'ADDED', object: object as T }
    case 'BOOKMARK':
      if (!hasMetadata(object)) throw garbled(`${request}: ${NO_METADATA}`)
      return { type: 'BOOKMARK', resourceVersion: object.metadata.resourceVersion ?? '' }
    case 'ERROR':
      throw apiErrorOf(object as unknown as Status, { request })
    default:
      throw garbled(`${request}: expected an event, got ${head}`)
  }
}

const garbled = (message: string, cause?: unknown): ConnectionFailed =>
  new ConnectionFailed(message, { sent: true, passing: true, cause })
