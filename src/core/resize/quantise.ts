/**
 * Objective: two amounts that the kernel cannot tell apart are one.
 * Method: the kubelet writes a limit as a quota of at least 1 ms in 100, and the systemd driver rounds
 * that up to whole 10 ms a second; it writes a request as cpu.shares, 1024 a CPU and at least 2.
 * A Guaranteed pod has one amount for both, so its requests keep to the grid of limits.
 * Complexity: constant. Reference: KEP-1287, kubelet cm.MilliCPUToShares and MilliCPUToQuota.
 *
 *   limit 101m, systemd   ->  110m
 *   limit 3m              ->  10m
 *   request 1m            ->  2m: both are 2 shares, and from there on no two requests share theirs
 */
import type { Millicores } from '../units.ts'
import { type ContainerCpu, type CpuField, cpuFields } from './types.ts'

/** Of one field: the least that has an effect, and the distance from one amount to the next. */
type Steps = { readonly least: number; readonly step: number }
export type Grid = Readonly<Record<CpuField, Steps>>

const leastLimit = 10
const leastRequest = 2
/** Right under both drivers, where it is not known which it is. */
const coarsestStep = 10

export function gridOf(at: {
  readonly limitStep: Millicores | undefined
  readonly isGuaranteed: boolean
}): Grid {
  const limit = { least: leastLimit, step: at.limitStep ?? coarsestStep }
  return { limit, request: at.isGuaranteed ? limit : { least: leastRequest, step: 1 } }
}

export const roundUp = (amount: number, { least, step }: Steps): Millicores =>
  Math.max(least, Math.ceil(amount / step) * step) as Millicores

export const roundDown = (amount: number, { least, step }: Steps): Millicores =>
  Math.max(least, Math.floor(amount / step) * step) as Millicores

export function quantise({ name, request, limit }: ContainerCpu, grid: Grid): ContainerCpu {
  return {
    name,
    request: request === undefined ? undefined : roundUp(request, grid.request),
    limit: limit === undefined ? undefined : roundUp(limit, grid.limit),
  }
}

/** Whether `has` what is wished for; what is not asked for is met. */
export function isMet(
  wish: readonly ContainerCpu[],
  { has, grid }: { readonly has: readonly ContainerCpu[]; readonly grid: Grid },
): boolean {
  return wish.every((wanted) => {
    const found = has.find(({ name }) => name === wanted.name)
    return cpuFields.every((field) => {
      const [amount, old] = [wanted[field], found?.[field]]
      if (amount === undefined || old === undefined) return amount === undefined
      return roundUp(amount, grid[field]) === roundUp(old, grid[field])
    })
  })
}
