/** What an operator decides about the controller; without a file it runs by the defaults. */
import * as v from 'valibot'

import type { ResizeRules } from '../core/resize/types.ts'
import { duration, number, onOff } from './config-fields.ts'
import { type Mode, modes } from './owner-words.ts'
import { parseAs } from './parse.ts'

export const controllerConfigFile = v.strictObject(
  {
    mode: v.optional(
      v.pipe(
        v.picklist(modes, modes.join(', ')),
        v.description(
          'For pods that do not say otherwise by `mbcas.io/mode`, nor their namespaces: `auto` resizes, `recommend` only says what it would do, `off` also restores the original values',
        ),
      ),
      'auto',
    ),
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
  readonly mode: Mode
  readonly rules: ResizeRules
  readonly skipsGuaranteed: boolean
  readonly resizesPerSecond: number
}

/** `name` is how the faults call the document. */
export function readControllerConfig(document: unknown, name: string): ControllerConfig {
  const keys = parseAs(controllerConfigFile, document, name)
  return {
    mode: keys.mode,
    rules: { cooldownMillis: keys.resizeCooldown, stepFactor: keys.maxStepSizeFactor },
    skipsGuaranteed: keys.skipGuaranteed,
    resizesPerSecond: keys.resizesPerSecond,
  }
}
