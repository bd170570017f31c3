/** For tests: what a controller does, seen from outside: resizes that were accepted, words of statuses. */
import type { PodAllocation } from '../../src/apis/pod-allocation.ts'
import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { type Container, cpuIn, type Pod, pods } from '../../src/apis/pod.ts'
import type { SimCluster } from '../../src/sim/cluster.ts'

/** By container and side, such as `main limit`, in millicores. */
export type Amounts = ReadonlyMap<string, number>

export type Resize = {
  readonly pod: string
  /** Of simulated time, since the cluster began. */
  readonly atSeconds: number
  readonly before: Amounts
  readonly after: Amounts
}

/** Every change of CPU that the server accepts from now on, by whomever. */
export function followResizes({ api, agenda }: SimCluster): readonly Resize[] {
  const found: Resize[] = []
  api.subscribe(pods, ({ object, old, type }) => {
    if (type !== 'MODIFIED' || object.metadata.generation === old?.metadata.generation) return
    const [before, after] = [amountsOf(old as unknown as Pod), amountsOf(object as unknown as Pod)]
    if ([...after].every(([name, amount]) => before.get(name) === amount)) return
    found.push({ pod: object.metadata.name, atSeconds: agenda.now() / 1000, before, after })
  })
  return found
}

export const amountsOf = ({ spec }: Pod): Amounts =>
  new Map([...spec.containers, ...(spec.initContainers ?? [])].flatMap(amountsIn))

const amountsIn = ({ name, resources }: Container): [string, number][] => {
  const [request, limit] = [cpuIn(resources?.requests), cpuIn(resources?.limits)]
  return [
    ...(request === undefined ? [] : [[`${name} request`, request] as [string, number]]),
    ...(limit === undefined ? [] : [[`${name} limit`, limit] as [string, number]]),
  ]
}

/**
 * How often more than a step was taken within a cooldown, in words: over any span shorter than
 * `seconds`, no amount may have changed by more than `factor`.
 */
export function doubleSteps(
  resizes: readonly Resize[],
  { factor, seconds }: { readonly factor: number; readonly seconds: number },
): string[] {
  return resizes.flatMap((first, i) =>
    resizes
      .slice(i)
      .filter(({ pod, atSeconds }) => pod === first.pod && atSeconds - first.atSeconds < seconds)
      .flatMap(({ after, atSeconds }) =>
        [...after].flatMap(([name, amount]) => {
          const from = first.before.get(name) ?? amount
          const ratio = Math.max(amount / from, from / amount)
          if (ratio <= factor) return []
          return `${first.pod}: ${name} from ${from}m to ${amount}m between ${first.atSeconds} s and ${atSeconds} s`
        }),
      ),
  )
}

export type Word = {
  readonly pod: string
  readonly atSeconds: number
  readonly phase: string
  readonly reason: string
  readonly message: string
}

/** Every change of phase or reason in the status of an allocation from now on. */
export function followStatuses({ api, agenda }: SimCluster): readonly Word[] {
  const found: Word[] = []
  api.subscribe(podAllocations, ({ object, old, type }) => {
    if (type === 'DELETED') return
    const { phase = '', reason = '', message = '' } = statusOf(object)
    const before = old && statusOf(old)
    if (reason === '' || (before?.reason === reason && before.phase === phase)) return
    const at = { pod: object.metadata.name, atSeconds: agenda.now() / 1000 }
    found.push({ ...at, phase, reason, message })
  })
  return found
}

const statusOf = (object: unknown): NonNullable<PodAllocation['status']> =>
  (object as PodAllocation).status ?? {}
