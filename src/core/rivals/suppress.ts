/**
 * Koordinator's CPU suppress, by quota: best-effort work gets what is left of 65 % of the node, at
 * the lowest weight.
 *
 * Method, once a second: capacity x 0.65 - used by services - used by the system; at least 2 ms of
 * each period; grows by a tenth of the node at most, shrinks at once; a change below 1 % is not made.
 * Reference: koordinator 1.8.0, koordlet's qosmanager/plugins/cpusuppress, policy cfsQuota.
 *
 *   cores  services  system  before      quota
 *   2      0.66      0.04    1.2     ->  0.6
 *   2      0         0       0.6     ->  0.8
 *   2      1.5       0       0.6     ->  0.02
 */
export const THRESHOLD_RATIO = 0.65
const LEAST_CORES = 0.02
const GROWTH_RATIO = 0.1
const IGNORED_RATIO = 0.01

export type Use = {
  readonly cores: number
  readonly services: number
  readonly system: number
}

export function suppress(before: number, { cores, services, system }: Use): number {
  const left = Math.max(LEAST_CORES, cores * THRESHOLD_RATIO - services - system)
  const next = Math.min(left, before + cores * GROWTH_RATIO)
  return Math.abs(next - before) < cores * IGNORED_RATIO ? before : next
}
