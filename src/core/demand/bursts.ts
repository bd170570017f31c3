/**
 * What a group needs ready so that its bursts seldom wait.
 *
 * A bucket filled at rate r, as deep as r, rarely runs dry under demand D of variance V when
 * r = D/2 + sqrt(D^2/4 + V L/2), with L = 3: about once in e^3 = 20. O(1).
 *
 *   demand  variance      ready
 *   0.4     0         ->  0.4
 *   0.4     0.04      ->  0.52
 *   0.1     0.04      ->  0.3
 */
const RARELY = 3

export const readyCores = (demand: number, variance: number): number =>
  demand / 2 + Math.sqrt(demand ** 2 / 4 + (variance * RARELY) / 2)
