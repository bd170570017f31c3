/**
 * What the agent's log says at the moments that the first design names, each message once. Values are
 * in fields; the level tells how much an operator wants to read.
 */
export const messages = {
  /** info, for a pod whose decision is written: `pod`, `demand`, `need`, `request`, `limit`, `reason`. */
  decision: 'allocation decision',
  /** info, when a clearing ends in another mode than the last: `node`, `from`, `to`, `price`. */
  modeChanged: 'allocation mode changed',
  /** debug, for each sample that counts: `pod`, `container`, `raw`, `smoothed`, `throttledRatio`, `seconds`. */
  demandSample: 'pod demand sample',
  /** warn, when a pod is held back to protect others: `pod`, `used`, `to`, `reason`. */
  guardrailTriggered: 'pod held back',
  /** info, when it is no longer: `pod`, `used`. */
  protectionEnded: 'pod no longer held back',
} as const
