/** What an operator decides about the controller; without a file it runs by the defaults. */
import * as v from 'valibot'

import { InvalidInput } from '../core/errors.ts'
import type { ResizeRules } from '../core/resize/types.ts'
import { duration, number, onOff } from './config-fields.ts'
import { parseAs } from './parse.ts'

export const controllerConfigFile = v.strictObject(
  {
    resizeCooldown: v.optional(
      duration('From one resize of a pod to the next; `urgency: guardrail` passes it', {
        min: '0s',
        max: '1h',
      }),
      '5s',
    ),
    maxStepSizeFactor: v.optional(
      number(
        'A resize multiplies or divides a value by no more than this, and the next one goes on; `urgency: guardrail` passes it',
        { min: 1.1, max: 100 },
      ),
      2,
    ),
    skipGuaranteed: v.optional(
      onOff(
        'Guaranteed pods are resized only by `mbcas.io/guaranteed: manage`; false lets all be. Say the same to the agents',
      ),
      true,
    ),
    resizesPerSecond: v.optional(
      number('Of the whole cluster; statuses have as much for themselves', { min: 1, max: 1000 }),
      100,
    ),
  },
  'an object of keys and values',
)

export type ControllerConfig = {
  readonly rules: ResizeRules
  readonly skipsGuaranteed: boolean
  readonly resizesPerSecond: number
}

/** `name` is how the faults call the document. */
export function readControllerConfig(document: unknown, name: string): ControllerConfig {
  if (typeof document === 'object' && document !== null && 'mode' in document) {
    throw new InvalidInput(
      `${name}: mode stands in the MarketSettings of the cluster, which the agents read too; take it out of this file and set it there: ` +
        `kubectl apply -f - <<< '{"apiVersion": "allocation.mbcas.io/v1alpha1", "kind": "MarketSettings", "metadata": {"name": "cluster"}, "spec": {"mode": ${JSON.stringify(document.mode)}}}'`,
    )
  }
  const keys = parseAs(controllerConfigFile, document, name)
  return {
    rules: { cooldownMillis: keys.resizeCooldown, stepFactor: keys.maxStepSizeFactor },
    skipsGuaranteed: keys.skipGuaranteed,
    resizesPerSecond: keys.resizesPerSecond,
  }
}
