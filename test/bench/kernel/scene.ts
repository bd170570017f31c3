/** What runs beside what. */
import { type Millicores, millicores } from '../../../src/core/units.ts'
import { besideHog, eachOther, type lengths } from './frozen.ts'
import { type Phase, phasesOf } from './phases.ts'
import { hogServiceRequests, type Request, requestsOf } from './requests.ts'
import { copiesFor, services } from './services.ts'

export type Lengths = (typeof lengths)['full' | 'quick']

export type Member = {
  readonly name: string
  readonly request: Millicores
  /** The one to give way, for an arm that is told who: a hog, or noise. */
  readonly isBatch: boolean
  readonly runs: Service | Hog
}

export type Service = { readonly workers: number; readonly requests: readonly Request[] }
export type Hog = { readonly threads: number }

export type Scene = {
  readonly name: 'beside-hog' | 'each-other'
  readonly hasAlone: boolean
  readonly secondsOf: (lengths: Lengths) => number
  /** From here on it is judged. */
  readonly warmSecondsOf: (lengths: Lengths) => number
  readonly membersOf: (draw: Draw) => Member[]
  /** Latencies of requests that came in one of them are told apart. */
  readonly spansOf: (lengths: Lengths) => readonly Span[]
}

export type Draw = { readonly cpus: number; readonly lengths: Lengths; readonly seed: number }
export type Span = Pick<Phase, 'fromMicros' | 'toMicros'> & {
  /** Contention asks for more than the machine has. */
  readonly isContended: boolean
}

const hog: Scene = {
  name: 'beside-hog',
  hasAlone: true,
  secondsOf: ({ warmSeconds, hogSeconds }) => warmSeconds + hogSeconds,
  warmSecondsOf: ({ warmSeconds }) => warmSeconds,
  spansOf: ({ warmSeconds, hogSeconds }) => [
    {
      fromMicros: warmSeconds * 1e6,
      toMicros: (warmSeconds + hogSeconds) * 1e6,
      isContended: false,
    },
  ],
  membersOf({ cpus, lengths, seed }) {
    const { service, hog } = besideHog
    const copies = copiesFor(cpus)
    const seconds = lengths.warmSeconds + lengths.hogSeconds
    return [
      {
        name: 'service',
        request: millicores(service.requestMillicores * copies),
        isBatch: false,
        runs: {
          workers: service.workers * copies,
          requests: hogServiceRequests({ seconds, seed, perSecond: service.perSecond * copies }),
        },
      },
      {
        name: 'hog',
        request: millicores(hog.requestMillicores * copies),
        isBatch: true,
        runs: { threads: hog.threads * copies },
      },
    ]
  },
}

const others: Scene = {
  name: 'each-other',
  hasAlone: false,
  secondsOf: ({ phasesSeconds }) => phasesSeconds,
  warmSecondsOf: ({ phasesSeconds }) => (phasesOf(phasesSeconds)[0]?.toMicros ?? 0) / 1e6,
  spansOf: ({ phasesSeconds }) =>
    phasesOf(phasesSeconds)
      .filter(({ name }) => name !== 'warm-up')
      .map(({ name, fromMicros, toMicros }) => ({
        fromMicros,
        toMicros,
        isContended: name === 'contention',
      })),
  membersOf({ cpus, lengths, seed }) {
    const copies = copiesFor(cpus)
    return Array.from({ length: copies }, (_, copy) =>
      services.map((service, i): Member => {
        const drawn = {
          cpus,
          passSeconds: lengths.phasesSeconds,
          seed: seed * 1000 + copy * 10 + i,
        }
        const cores = (service.demandRatio * eachOther.requestedRatio * cpus) / copies
        return {
          name: copies === 1 ? service.name : `${service.name}-${copy}`,
          request: millicores(Math.floor(cores * 1000)),
          isBatch: service.isNoise,
          runs: { workers: 1, requests: requestsOf(service, drawn) },
        }
      }),
    ).flat()
  },
}

export const scenes: readonly Scene[] = [hog, others]
