/** The paths of `apis/dashboard`, plain and live. */
import type { About, ComparisonView } from '../../apis/dashboard.ts'
import { compressQuickly, encodingFor, LEAST_BYTES } from '../../runtime/http-compress.ts'
import { jsonReply } from '../../runtime/http-server-answer.ts'
import type { HttpReply, HttpRequest } from '../../runtime/http-server.ts'
import type { Live, Source } from './live.ts'
import { patchCluster, patchEvents, patchNode, patchPod } from './patches.ts'
import { allTime, type Range } from './record.ts'
import type { Views } from './views.ts'

export type ApiNeeds = {
  readonly views: Views
  readonly live: Live
  /** The cluster's nodes and pods are known. */
  readonly isReady: () => boolean
  /** What could not be learnt, with the remedy. */
  readonly troubles: () => readonly string[]
  readonly about: () => About
  readonly comparison: () => ComparisonView | undefined
}

/** A view that is there plain and live, under one path. */
type Place = {
  /** What is not there, if it is not. */
  readonly missing: string
  readonly plain: (range: Range) => object | undefined
  readonly open: (range: Range) => HttpReply | undefined
}

/** GET, below `/api/`. */
export function createApi(needs: ApiNeeds): (request: HttpRequest) => HttpReply {
  const { views, live, isReady } = needs

  const place = <V extends { readonly at: number }>(
    name: string,
    missing: string,
    source: Source<V>,
  ): Place => {
    const read = (range: Range) => (isReady() ? source.read(range) : undefined)
    return { missing, plain: read, open: (range) => live.open(name, { ...source, read }, range) }
  }

  const placeOf = (path: readonly string[]): Place | undefined => {
    const [kind, first = '', second = '', ...more] = path
    const name = path.join('/')
    if (more.length > 0) return undefined
    if (kind === 'cluster' && first === '') {
      return place(name, 'no cluster', { ...historic, read: views.cluster, patch: patchCluster })
    }
    if (kind === 'events' && first === '') {
      const source = { read: views.events, patch: patchEvents, newestAt: () => undefined }
      return place(name, 'no events', source)
    }
    if (kind === 'node' && first !== '' && second === '') {
      const read = (range: Range) => views.node(first, range)
      return place(name, `no node ${first}`, { ...historic, read, patch: patchNode })
    }
    if (kind === 'pod' && second !== '') {
      const key = `${first}/${second}`
      const read = (range: Range) => views.pod(key, range)
      return place(name, `no pod ${key} on any node`, { ...historic, read, patch: patchPod })
    }
    return undefined
  }

  const answerPlace = ({ missing, plain, open }: Place, isLive: boolean, range: Range) => {
    if (isReady() && plain(NO_HISTORY) === undefined) return refusal(404, `there is ${missing}`)
    if (isLive) return open(range) ?? refusal(503, TOO_MANY)
    const view = plain(range)
    if (view !== undefined) return jsonReply(view)
    return refusal(503, ['still reading the cluster', ...needs.troubles()].join('; '))
  }

  return (request) => {
    const path = segmentsOf(request.path)
    const range = rangeIn(request.query)
    if (path === undefined) return refusal(400, `cannot read the path ${request.path}`)
    if (range === undefined) {
      return refusal(400, 'expected from= and to= in milliseconds since 1970')
    }
    const [first, ...rest] = path
    const isLive = first === 'live'
    const found = placeOf(isLive ? rest : path)
    if (found !== undefined) return shortened(answerPlace(found, isLive, range), request)
    if (rest.length === 0) {
      if (first === 'about') return jsonReply(needs.about())
      if (first === 'search') return jsonReply(views.search(request.query.get('q') ?? ''))
      if (first === 'comparison') {
        const comparison = needs.comparison()
        return comparison === undefined
          ? refusal(404, 'no scenario is compared here; mbcas demo and mbcas simulate do')
          : jsonReply(comparison)
      }
    }
    return refusal(404, `there is no ${request.path} here; there are ${PATHS.join(', ')}`)
  }
}

const TOO_MANY = 'too many look already; close a page that nobody needs'
const NO_HISTORY: Range = { from: Infinity, to: Infinity }

const PATHS = [
  '/api/about',
  '/api/cluster',
  '/api/node/NAME',
  '/api/pod/NAMESPACE/NAME',
  '/api/events',
  '/api/search?q=',
  '/api/comparison',
  '/api/live/...',
]

const historic = {
  newestAt: ({ history }: { readonly history: { readonly at: readonly number[] } }) =>
    history.at.at(-1),
}

export const refusal = (status: number, error: string): HttpReply =>
  jsonReply({ error }, { status })

/** Of `/api/a/b%20c`, `a` and `b c`; undefined if it cannot be read. */
function segmentsOf(path: string): readonly string[] | undefined {
  try {
    return path.split('/').slice(2).map(decodeURIComponent)
  } catch {
    return undefined
  }
}

function rangeIn(query: URLSearchParams): Range | undefined {
  const from = Number(query.get('from') ?? allTime.from)
  const to = Number(query.get('to') ?? allTime.to)
  return Number.isNaN(from) || Number.isNaN(to) ? undefined : { from, to }
}

function shortened(reply: HttpReply, { headers }: HttpRequest): HttpReply {
  const { body } = reply
  if (typeof body !== 'string' || body.length < LEAST_BYTES) return reply
  const accepted = encodingFor(headers['accept-encoding'], ['gzip'])
  if (accepted === undefined) return reply
  const more = { 'content-encoding': accepted, vary: 'accept-encoding' }
  return { ...reply, headers: { ...reply.headers, ...more }, body: compressQuickly(body) }
}
