/**
 * Prometheus' answer to an instant query (HTTP API v1) as latencies of pods.
 *
 *   value                        becomes
 *   "0.25"                       250 ms
 *   "NaN"                        nothing: no request in the query's window
 *   "+Inf", "-1", no labels      one unusable value
 *
 * Of several series of one pod the slowest counts. A text that is no such answer throws what was
 * expected and what came.
 */
import { keyOfPod } from '../../core/pod-name.ts'
import type { LatencyAnswer } from '../../ports/latency.ts'

export function parseLatencies(text: string): LatencyAnswer {
  const p99Millis = new Map<string, number>()
  let unusable = 0
  for (const series of resultOf(text)) {
    const { metric, value } = recordOf(series)
    const { namespace, pod } = recordOf(metric)
    const written: unknown = Array.isArray(value) ? value[1] : undefined
    if (written === 'NaN') continue
    const millis = typeof written === 'string' && written !== '' ? Number(written) * 1000 : NaN
    const isLatency = millis >= 0 && millis < Infinity // Number('+Inf') is NaN
    if (!isLatency || typeof namespace !== 'string' || typeof pod !== 'string') {
      unusable += 1
      continue
    }
    const key = keyOfPod({ namespace, name: pod })
    p99Millis.set(key, Math.max(millis, p99Millis.get(key) ?? 0))
  }
  return { p99Millis, unusable }
}

function resultOf(text: string): readonly unknown[] {
  const answer = recordOf(parsed(text))
  if (answer['status'] !== 'success') throw new Error(describeRefusal(text))
  const { resultType, result } = recordOf(answer['data'])
  if (resultType === 'vector' && Array.isArray(result)) return result
  throw new Error(
    `expected an instant vector with the labels namespace and pod, got ${typeOf(resultType)}`,
  )
}

const typeOf = (resultType: unknown): string =>
  typeof resultType === 'string' ? `a ${resultType}` : 'an answer without one'

/** Prometheus' own words where there are any, else the start of what came. */
export function describeRefusal(text: string): string {
  const { errorType, error } = recordOf(parsed(text))
  if (typeof error === 'string') return `${String(errorType)}: ${shortened(error)}`
  return `expected an answer of Prometheus' HTTP API, got ${shortened(text) || 'nothing'}`
}

const LONGEST_SHOWN = 300
export const shortened = (text: string): string =>
  text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
