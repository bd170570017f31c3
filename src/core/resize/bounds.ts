/**
 * Objective: a wish within what LimitRanges allow, as near to what was asked as that can be.
 * Method: a bound on containers clamps each amount; a bound on the pod's sum takes from all moves alike.
 * A limit too large for its request holds the request's fall back first, then the limit's rise, so that
 * no limit falls because a request should. What was not asked for is never touched.
 * Complexity: O(bounds x containers).
 *
 *   limit 500m asked, max 200m                                     ->  200m
 *   request 10m asked, min 50m                                     ->  50m
 *   has 400/800m, 50/800m asked, limit at most 4 times the request  ->  200/800m
 */
import { type Millicores, sum } from '../units.ts'
import { joinCpu, ofName, totalOf } from './containers.ts'
import { cutMoves, moveSizes, type Moves } from './cut-moves.ts'
import { type Grid, roundDown, roundUp } from './quantise.ts'
import { type ContainerCpu, type CpuBound, type CpuField, cpuFields, type PodCpu } from './types.ts'
import { settle } from './wish.ts'

type Containers = readonly ContainerCpu[]
type Within = { readonly pod: PodCpu; readonly bound: CpuBound; readonly grid: Grid }

/** Amounts before ratios, containers before their sum: what comes later keeps what came before. */
export function partsInOrder(bounds: readonly CpuBound[]): readonly CpuBound[] {
  const parts: CpuBound[] = []
  for (const of of ['Container', 'Pod'] as const) {
    const those = bounds.filter((bound) => bound.of === of)
    for (const bound of those) parts.push({ ...bound, maxRatio: undefined })
    for (const bound of those) parts.push({ ...bound, min: undefined, max: undefined })
  }
  return parts
}

export const clampToBound = (wish: Containers, within: Within): Containers =>
  within.bound.of === 'Pod'
    ? clampSum(wish, within)
    : wish.map((container) => clampContainer(container, within))

function clampContainer(wish: ContainerCpu, { pod, bound, grid }: Within): ContainerCpu {
  const { min, max = Infinity, maxRatio } = bound
  const { name } = wish
  const has = ofName(pod.spec, name)
  const [request, limit] = cpuFields.map((field) => {
    const amount = wish[field]
    if (amount === undefined) return undefined
    const [most, now] = [roundDown(max, grid[field]), has?.[field] ?? 0]
    // Already at a maximum that is between two steps of the grid: it need not go below.
    const atMost = now <= max ? Math.max(most, now) : most
    const least = min === undefined ? 0 : roundUp(min, grid[field])
    return Math.max(Math.min(amount, atMost), least) as Millicores
  })
  if (maxRatio === undefined) return { name, request, limit }
  const least = Math.min(has?.request ?? 0, Math.ceil((limit ?? has?.limit ?? 0) / maxRatio))
  const held = request === undefined ? has?.request : Math.max(request, least)
  const most = roundDown((held ?? 0) * maxRatio, grid.limit)
  return {
    name,
    request: request === undefined ? undefined : (held as Millicores),
    limit: limit === undefined ? undefined : (Math.min(limit, most) as Millicores),
  }
}

function clampSum(wish: Containers, { pod, bound, grid }: Within): Containers {
  const { min = 0, max = Infinity, maxRatio } = bound
  const { spec } = pod
  let clamped = wish
  const total = (field: CpuField) => totalOf(joinCpu(spec, clamped), field)
  const takeBack = (excess: number, moves: Omit<Moves, 'from'>): void => {
    if (excess <= 0) return
    const room = sum(moveSizes(clamped, { ...moves, from: spec })) - excess
    clamped = cutMoves(clamped, { ...moves, from: spec, room, grid })
  }
  // Limits first: a request that follows its limit down leaves its part to the others.
  for (const field of ['limit', 'request'] as const) {
    takeBack(total(field) - max, { field, direction: 'up' })
    takeBack(min - total(field), { field, direction: 'down' })
    clamped = settle(clamped, { pod, grid })
  }
  if (maxRatio === undefined) return clamped
  const least = Math.ceil(total('limit') / maxRatio)
  takeBack(least - total('request'), { field: 'request', direction: 'down' })
  const most = Math.floor(total('request') * maxRatio)
  takeBack(total('limit') - most, { field: 'limit', direction: 'up' })
  return clamped
}

/** What the API server would refuse or do unasked, in words; it looks at containers that do not change, too. */
export function violationOf(after: Containers, bounds: readonly CpuBound[]): string | undefined {
  for (const bound of bounds) {
    const groups =
      bound.of === 'Container' ? after.map((one) => ({ who: one.name, cpu: one })) : [sumOf(after)]
    for (const { who, cpu } of groups) {
      const words = wordsAgainst(cpu, bound)
      if (words !== undefined) return `${describeBound(bound)}, but ${who} ${words}`
    }
  }
  return undefined
}

const sumOf = (after: Containers) => ({
  who: 'the pod',
  cpu: {
    name: '',
    request: after.every((one) => one.request === undefined)
      ? undefined
      : totalOf(after, 'request'),
    limit: after.every((one) => one.limit === undefined) ? undefined : totalOf(after, 'limit'),
  },
})

function wordsAgainst({ request, limit }: ContainerCpu, bound: CpuBound): string | undefined {
  const { min, max, maxRatio, defaults = [] } = bound
  if (request === undefined) {
    if (defaults.includes('request')) return 'has no request, and would be given one for good'
    if (min !== undefined || maxRatio !== undefined) return 'has no request'
  }
  if (limit === undefined) {
    if (defaults.includes('limit')) return 'has no limit, and would be given one for good'
    if (max !== undefined || maxRatio !== undefined) return 'has no limit'
  }
  for (const [field, amount] of [
    ['request', request],
    ['limit', limit],
  ] as const) {
    if (amount === undefined) continue
    if (amount < (min ?? 0) || amount > (max ?? Infinity))
      return `would have a ${field} of ${amount}m`
  }
  if (maxRatio === undefined || request === undefined || limit === undefined) return undefined
  return limit > request * maxRatio ? `would have ${request}m and ${limit}m` : undefined
}

/** `LimitRange "cpu" wants of each container at least 50m, at most 2000m` */
export function describeBound({ limitRange, of, min, max, maxRatio }: CpuBound): string {
  const wants = [
    ...(min === undefined ? [] : [`at least ${min}m`]),
    ...(max === undefined ? [] : [`at most ${max}m`]),
    ...(maxRatio === undefined ? [] : [`a limit of at most ${maxRatio} times the request`]),
  ]
  const whom = of === 'Pod' ? 'the pod' : 'each container'
  return `LimitRange "${limitRange}" wants of ${whom} ${wants.join(', ') || 'request and limit'}`
}
