/**
 * What pods will want at the next clearing, from where their demand is going (core/prediction).
 *
 * It only adds: a bid is never below the demand of now, since a wrong guess downwards takes CPU away and
 * one upwards only costs. Off by default: it brought no more than head-room does.
 */
import {
  followTrend,
  type Measurement,
  predictDemand,
  startTrend,
  type Trend,
} from '../../core/prediction/trend.ts'

export type Foresight = {
  /** At every sample, or as often as is known; before smoothing. */
  readonly observe: (uid: string, demand: Measurement) => void
  /** In place of the demand that a bid is for. */
  readonly foretell: (uid: string, demandCores: number) => number
  /** Forgets the pods that are gone. */
  readonly keepOnly: (uids: ReadonlySet<string>) => void
}

/** The most that a forecast adds: over so many seconds a spike would be drawn out to anything. */
const MOST_RATIO = 1.5

export function createForesight({ aheadMillis }: { readonly aheadMillis: number }): Foresight {
  const trends = new Map<string, Trend>()
  return {
    observe: (uid, demand) => {
      const before = trends.get(uid)
      trends.set(uid, before === undefined ? startTrend(demand) : followTrend(before, demand))
    },
    foretell: (uid, demandCores) => {
      const trend = trends.get(uid)
      if (trend === undefined) return demandCores
      const ahead = predictDemand(trend, aheadMillis / 1000)
      return Math.max(demandCores, Math.min(ahead, MOST_RATIO * demandCores))
    },
    keepOnly: (uids) => {
      for (const uid of trends.keys()) if (!uids.has(uid)) trends.delete(uid)
    },
  }
}
