/**
 * The address holds the whole state of the page, in the part after `#`: the server sees none of it,
 * and a link sent to a colleague shows the same.
 *
 *   #/                                          the cluster, the last 15 minutes, live
 *   #/node/node-1?range=5m&sort=-used           a node, sorted
 *   #/pod/shop/api-0?from=1000&to=2000&at=1500  a pod, a stretch of time, a moment marked in it
 */
import { defaultRange, isRange, type RangeName, type Span } from './time.ts'

export type Place =
  | { readonly view: 'cluster' | 'events' | 'comparison' }
  | { readonly view: 'node'; readonly name: string }
  /** Key: `namespace/name`. */
  | { readonly view: 'pod'; readonly key: string }

export type Address = {
  readonly place: Place
  readonly range: RangeName
  /** A fixed stretch of time in place of the last `range`: the page stands still. */
  readonly still?: Span | undefined
  readonly moment?: number | undefined
  /** A column; with `-` before it, the greatest first. */
  readonly sort?: string | undefined
  /** Only what contains this text. */
  readonly text?: string | undefined
  /** Only events of these kinds, or nodes in these modes; none: all. */
  readonly only: readonly string[]
  /** What the bands of a node's chart show. */
  readonly bands: 'held' | 'used'
}

export const home: Address = {
  place: { view: 'cluster' },
  range: defaultRange,
  only: [],
  bands: 'held',
}

/** Another place at the same time. */
export const goTo = ({ range, still }: Address, place: Place): Address => ({
  ...home,
  place,
  range,
  still,
})

export function readAddress(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?')
  const asked = new URLSearchParams(query)
  const range = asked.get('range') ?? ''
  return {
    place: readPlace(path),
    range: isRange(range) ? range : defaultRange,
    still: readSpan(asked),
    moment: readTime(asked.get('at')),
    sort: asked.get('sort') ?? undefined,
    text: asked.get('q') ?? undefined,
    only: asked.get('only')?.split(',').filter(Boolean) ?? [],
    bands: asked.get('bands') === 'used' ? 'used' : 'held',
  }
}

function readPlace(path: string): Place {
  const [view = '', ...rest] = path.split('/').map(decode)
  if (view === 'node' && rest[0]) return { view, name: rest[0] }
  if (view === 'pod' && rest[0] && rest[1]) return { view, key: `${rest[0]}/${rest[1]}` }
  return { view: view === 'events' || view === 'comparison' ? view : 'cluster' }
}

/** What somebody typed may not be well encoded. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function readSpan(asked: URLSearchParams): Span | undefined {
  const from = readTime(asked.get('from'))
  const to = readTime(asked.get('to'))
  return from !== undefined && to !== undefined && from < to ? { from, to } : undefined
}

const readTime = (text: string | null): number | undefined =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined

export function writeAddress(address: Address): string {
  const query = new URLSearchParams()
  const put = (name: string, value: string | number | undefined): void => {
    if (value !== undefined && value !== '') query.set(name, String(value))
  }
  if (address.range !== defaultRange) put('range', address.range)
  put('from', address.still?.from)
  put('to', address.still?.to)
  put('at', address.moment)
  put('sort', address.sort)
  put('q', address.text)
  put('only', address.only.join(','))
  if (address.bands !== 'held') put('bands', address.bands)
  const text = query.toString()
  return `#/${writePlace(address.place)}${text === '' ? '' : `?${text}`}`
}

function writePlace(place: Place): string {
  if (place.view === 'cluster') return ''
  if (place.view === 'node') return `node/${encodeURIComponent(place.name)}`
  if (place.view === 'pod') return `pod/${place.key.split('/').map(encodeURIComponent).join('/')}`
  return place.view
}
