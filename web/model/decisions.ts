/** What a decision changed, from the one before it. */
import type { PodDecision } from '../../src/apis/dashboard.ts'
import { cpu } from './format.ts'

/** `request 200m → 430m, limit 900m`; the first decision has nothing to compare with. */
export function changeOf(decision: PodDecision, before: PodDecision | undefined): string {
  const request = step('request', decision.request, before?.request)
  const limit = step('limit', decision.limit, before === undefined ? undefined : before.limit)
  return `${request}, ${limit}`
}

function step(name: string, now: number | undefined, before: number | undefined): string {
  if (now === undefined) return `no ${name}`
  const moved = before !== undefined && before !== now
  return moved ? `${name} ${cpu(before)} → ${cpu(now)}` : `${name} ${cpu(now)}`
}

/** `100m → 430m (4.3 times)`; what it was before MBCAS had a say. */
export function since(original: number | undefined, now: number | undefined): string {
  if (original === undefined || now === undefined || original === now) return cpu(now)
  const times = original > 0 ? ` (${Number((now / original).toPrecision(2))} times)` : ''
  return `${cpu(original)} → ${cpu(now)}${times}`
}
