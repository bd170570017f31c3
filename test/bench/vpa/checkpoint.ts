/**
 * What VPA knows of a workload that it has watched for days, as it keeps it itself: a
 * VerticalPodAutoscalerCheckpoint, which the recommender reads when it starts. The history is that of
 * an earlier pass without limits, over and over.
 */
import type { Histogram } from '../../../src/core/rivals/histogram.ts'
import { type History, noHistory, remember, wholeMilli } from '../../../src/core/rivals/vpa.ts'
import { millis } from '../../../src/core/units.ts'
import { historyDays } from './frozen.ts'

const MINUTE = 60_000
/** Buckets are kept as whole numbers; the fullest has this. */
const mostWeight = 10_000

/** A sample per minute up to now, of the cores that were used in each window of a pass. */
export function historyOf(windows: readonly number[], nowMillis: number): History {
  const count = historyDays * 24 * 60
  let history = noHistory
  for (let i = 0; i < count; i += 1) {
    const at = millis(nowMillis - (count - i) * MINUTE)
    history = remember(history, { at, cores: wholeMilli(windows[i % windows.length] ?? 0) })
  }
  return history
}

type Named = { readonly namespace: string; readonly workload: string; readonly nowMillis: number }

export function checkpointOf(history: History, { namespace, workload, nowMillis }: Named): object {
  const { histogram, samples, first, last } = history
  return {
    apiVersion: 'autoscaling.k8s.io/v1',
    kind: 'VerticalPodAutoscalerCheckpoint',
    metadata: { name: `${workload}-${workload}`, namespace },
    spec: { vpaObjectName: workload, containerName: workload },
    status: {
      version: 'v3',
      firstSampleStart: timeOf(first),
      lastSampleStart: timeOf(last),
      lastUpdateTime: timeOf(nowMillis),
      totalSamplesCount: samples,
      cpuHistogram: histogramOf(histogram),
      memoryHistogram: { referenceTimestamp: timeOf(nowMillis), bucketWeights: {}, totalWeight: 0 },
    },
  }
}

const timeOf = (at = 0): string => new Date(at).toISOString().replace(/\.\d+/, '')

function histogramOf({ weights, total, reference }: Histogram): object {
  const most = Math.max(...weights)
  const scaled = weights.map((weight) => Math.round((weight / most) * mostWeight))
  return {
    referenceTimestamp: timeOf(reference),
    bucketWeights: Object.fromEntries(
      [...scaled.entries()].filter(([, weight]) => weight > 0).map(([i, weight]) => [i, weight]),
    ),
    totalWeight: total,
  }
}
