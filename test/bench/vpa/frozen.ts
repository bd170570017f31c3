/**
 * Frozen: every parameter of this bench. Seeds are drawn after these, when it runs, so nothing here was
 * chosen by what came out. Who changes one draws new seeds and publishes the figures anew.
 */

/** What is still unanswered `drainSeconds` after the end of a pass is given up. */
export const lengths = {
  /** The seeds' fifteen minutes in 75 seconds: phases of 10, 25, 25 and 15 s. */
  full: { repeats: 5, seconds: 75, settleSeconds: 12, drainSeconds: 3 },
  /** For the shape of the results, not for the figures. */
  quick: { repeats: 1, seconds: 15, settleSeconds: 6, drainSeconds: 1 },
} as const

/**
 * VPA takes a sample per minute; a minute of the scenario is a fifteenth of a pass, and so long are the
 * samples of the history that it is given.
 */
export const windowsPerPass = 15
export const historyDays = 8

/**
 * What differs from the defaults, and only because a pass has no days: VPA's loops are a fifteenth of
 * a pass, as a minute is of the scenario, its pods count as old enough for small changes at once, and
 * a workload of one pod may be resized. All else is as `docs/flags.md` of 1.8.1 has it.
 */
export const autoscalerFlags = (loopSeconds: number) => ({
  recommender: { 'recommender-interval': `${loopSeconds}s` },
  updater: {
    'updater-interval': `${loopSeconds}s`,
    'min-replicas': '1',
    'in-recommendation-bounds-eviction-lifetime-threshold': '1s',
  },
})
/** The shortest that metrics-server takes; its manifest has 15 s. */
export const metricResolution = '10s'

/** The grace of 90 s at a pod's start, shortened as VPA's loops are; all else is as by default. */
export const agentConfig = (loopSeconds: number) => ({
  startupGracePeriod: `${Math.round(1.5 * loopSeconds * 1000)}ms`,
})
