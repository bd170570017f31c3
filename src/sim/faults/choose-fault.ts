/** Which of the planted faults a request meets; by a seed, so that a run can be repeated. */
import type { Fault } from '../../apis/fault-file.ts'
import type { Random } from '../../core/random.ts'
import type { Asked } from '../apiserver/serve/faults.ts'

export type Faults = {
  /** Replaces all that were planted before. */
  readonly plant: (faults: readonly Fault[]) => void
  readonly planted: () => readonly Fault[]
  readonly choose: (request: Asked) => Fault | undefined
  /** How often each kind came. */
  readonly counts: () => Readonly<Record<string, number>>
}

export function createFaults(random: Random): Faults {
  let planted: { readonly fault: Fault; left: number }[] = []
  const counts = new Map<string, number>()

  const choose = (request: Asked): Fault | undefined => {
    for (const entry of planted) {
      const { fault } = entry
      if (entry.left === 0 || !concerns(fault, request)) continue
      if (fault.share < 1 && random() >= fault.share) continue
      entry.left -= 1
      counts.set(fault.kind, (counts.get(fault.kind) ?? 0) + 1)
      return fault
    }
    return undefined
  }
  return {
    plant: (faults) => {
      planted = faults.map((fault) => ({ fault, left: fault.times ?? Infinity }))
    },
    planted: () =>
      planted
        .filter(({ left }) => left > 0)
        .map(({ fault, left }) =>
          left === Infinity ? fault : Object.assign({}, fault, { times: left }),
        ),
    choose,
    counts: () => Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete'])

/** Some faults make sense for some requests only. */
function concerns({ kind, verbs, resources, userAgent }: Fault, request: Asked): boolean {
  const { verb, resource } = request
  if (kind === 'conflict' && !writes.has(verb)) return false
  if (kind === 'expired' && verb !== 'watch' && verb !== 'list') return false
  if ((kind === 'drop-watch' || kind === 'stall-watch') && verb !== 'watch') return false
  return (
    (verbs === undefined || verbs.includes(verb)) &&
    (resources === undefined || resources.includes(resource)) &&
    (userAgent === undefined || request.userAgent.startsWith(userAgent))
  )
}
