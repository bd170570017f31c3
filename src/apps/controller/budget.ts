import type { ControllerConfig } from '../../apis/controller-config.ts'

/**
 * What the controller may ask of the API server. Resizes have the whole of `write`; statuses, and the
 * note of the original values before the first resize, as much beside it. Reads are for owners.
 */
export const budgetOf = ({ resizesPerSecond: perSecond }: ControllerConfig) =>
  ({
    limits: {
      write: { perSecond, burst: perSecond },
      status: { perSecond, burst: perSecond },
      read: { perSecond: 2 * perSecond, burst: 2 * perSecond },
    },
    /** Enough for both at 100 ms a request. */
    maxSockets: 32,
  }) as const

/** As many as wait for the budget or for an answer at once, with two requests a pod. */
export const WORKERS = 64

/** Of what failed: soon again, and never so late that it looks forgotten. */
export const retriesOf = ({ resizesPerSecond: perSecond }: ControllerConfig) =>
  ({
    backoff: { first: 100, longest: 30_000 },
    bucket: { perSecond, burst: perSecond },
  }) as const
