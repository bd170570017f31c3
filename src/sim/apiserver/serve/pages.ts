/**
 * Lists in pages. A continue token is the version of the first page and the key to go on from, as the
 * real server has it, so that all pages are of one moment although changes go on.
 */
import { type ApiObject, keyOf, placeOf } from '../object.ts'
import { badRequest, Refusal } from '../refusal.ts'
import type { Selection } from '../select/selection.ts'
import { parseJson } from './parse-json.ts'
import type { ListMeta } from './print.ts'

type Token = {
  /** -1 goes on with what is there now. */
  readonly rv: number
  readonly start: string
}

const tokenVersion = 'meta.k8s.io/v1'

const writeToken = ({ rv, start }: Token): string =>
  Buffer.from(JSON.stringify({ v: tokenVersion, rv, start })).toString('base64url')

export function readToken(text: string): Token {
  const decoded = Buffer.from(text, 'base64url').toString('utf8')
  let value: Partial<Token & { readonly v: string }>
  try {
    value = parseJson(decoded) as typeof value
  } catch (error) {
    throw badToken((error as Error).message)
  }
  const { v, rv, start } = value
  if (v !== tokenVersion) throw badToken(`server does not recognize this encoded version ${v}`)
  if (typeof rv !== 'number' || rv === 0) throw badToken('incorrect encoded start resourceVersion')
  if (typeof start !== 'string' || start === '') throw badToken('encoded start key empty')
  return { rv, start }
}

const badToken = (why: string): Refusal =>
  badRequest(`invalid continue token: continue key is not valid: ${why}`)

export const expiredToken = (token: Token): Refusal =>
  new Refusal({
    code: 410,
    reason: 'Expired',
    message:
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    next: writeToken({ rv: -1, start: token.start }),
  })

export const expiredVersion = (): Refusal =>
  new Refusal({
    code: 410,
    reason: 'Expired',
    message: 'The resourceVersion for the provided list is too old.',
  })

export type Page = { readonly items: readonly ApiObject[]; readonly metadata: ListMeta }

/** `objects` are sorted by key, all of one namespace if it is given. */
export function pageOf(
  objects: readonly ApiObject[],
  cut: {
    readonly version: number
    readonly namespace: string | undefined
    readonly start: string
    /** 0 for no limit. */
    readonly limit: number
    readonly selection: Selection
  },
): Page {
  const { version, namespace, limit, selection } = cut
  const resourceVersion = String(version)
  const keyIn = (object: ApiObject): string =>
    namespace === undefined ? keyOf(placeOf(object)) : object.metadata.name
  const from = cut.start === '' ? 0 : objects.findIndex((object) => keyIn(object) >= cut.start)
  if (from === -1) return { items: [], metadata: { resourceVersion } }
  const items: ApiObject[] = []
  let next = from
  for (const object of from === 0 ? objects : objects.slice(from)) {
    if (limit > 0 && items.length === limit) break
    next += 1
    if (selection?.(object) !== false) items.push(object)
  }
  const last = objects[next - 1]
  const remaining = objects.length - next
  if (remaining === 0 || last === undefined) return { items, metadata: { resourceVersion } }
  return {
    items,
    metadata: {
      resourceVersion,
      continue: writeToken({ rv: version, start: `${keyIn(last)}\0` }),
      // Of a selection it would have to be counted.
      ...(selection === undefined && { remainingItemCount: remaining }),
    },
  }
}
