/**
 * Static limits: what most clusters have. Request and limit stay as a person wrote them.
 *
 *   quota  usage  throttled periods      quota
 *   200m   0.10   0                  ->  200m
 *   200m   0.20   10                 ->  200m
 *   200m   0      0                  ->  200m
 */
import { type Millicores, millis } from '../units.ts'
import type { Law } from './law.ts'

export const fixed: Law<Millicores> = {
  name: 'static',
  every: millis(1000),
  burstRatio: 0,
  start: (quota) => quota,
  decide: (quota) => ({ state: quota, quota, request: quota, reason: 'limits are static' }),
}
