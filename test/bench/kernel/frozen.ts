/**
 * Frozen: every parameter of this bench. Seeds are drawn after these, when it runs, so nothing here was
 * chosen by what came out. Who changes one draws new seeds and publishes the figures anew.
 */

/** For each two CPUs of the machine. */
export const besideHog = {
  service: {
    requestMillicores: 1000,
    perSecond: 120,
    /** Exponential. */
    meanMicros: 5000,
    /** Processes that take from one queue. */
    workers: 8,
  },
  hog: { requestMillicores: 900, threads: 4 },
} as const

/** The services of the seeds, with one process each. */
export const eachOther = {
  /** Of the machine, when most is asked of it. */
  peakRatio: 1.3,
  /** Of the machine: what the services request together, each its part of the demand. */
  requestedRatio: 0.95,
} as const

export const lengths = {
  /** Laws that remember some seconds know the load by the end of the warm-up. Under an hour in all. */
  full: { repeats: 8, warmSeconds: 8, hogSeconds: 10, phasesSeconds: 15 },
  /** For the shape of the results, not for the figures. */
  quick: { repeats: 1, warmSeconds: 1, hogSeconds: 2, phasesSeconds: 5 },
} as const

/** Of Autothrottle's nine: the one that never tolerates throttling and one in the middle. */
export const captainTargets = [0, 0.1] as const

/** A hundred to one, far from the ends of what v1 and v2 take. */
export const sharesByHand = { service: 26_200, batch: 262 } as const

/** Static limits with the longest period that the kernel takes. */
export const longPeriodMicros = 1_000_000

export const bars = {
  mostToAlone: 1.3,
  leastOfLeft: 0.9,
  mostToByHand: 1.4,
} as const

/** A pass during which others and the host took more of the machine is run again, once. */
export const mostDisturbedRatio = 0.15
/** Of all passes. */
export const spareRatio = 0.05
