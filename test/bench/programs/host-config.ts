/** What our agent is told: which groups there are and what each requested. Nothing else. */
import { type Millicores, millicores } from '../../../src/core/units.ts'
import { sumOf } from '../statistics.ts'

export type Requested = {
  readonly path: string
  readonly request: Millicores
  /** Its latency matters, and we are told. */
  readonly isUrgent?: boolean
}

/** CPU for the rest of the machine. */
export const reserve = millicores(100)

/** Requests that fill the machine are cut alike, so that they fit beside the reserve. */
export function hostConfigOf(groups: readonly Requested[], cpus: number) {
  const floors = fit(
    groups.map(({ request }) => request),
    millicores(cpus * 1000 - reserve),
  )
  return {
    reserve: `${reserve}m`,
    groups: groups.map(({ path, isUrgent = false }, i) => ({
      path,
      floor: `${floors[i]}m`,
      ...(isUrgent && { urgent: true }),
    })),
  }
}

/**
 * Amounts that fit into a capacity: all are cut alike if they are more than it.
 *
 *   wanted        capacity      given
 *   300 500 600   1900      ->  300 500 600
 *   800 400       600       ->  400 200
 */
export function fit(wanted: readonly Millicores[], capacity: Millicores): Millicores[] {
  const ratio = Math.min(1, capacity / sumOf(wanted))
  return wanted.map((amount) => millicores(Math.floor(amount * ratio)))
}
