/** Kinds of fields that several parts of a scenario have. */
import * as v from 'valibot'

import { InvalidInput } from '../core/errors.ts'
import { parseBytes, QuantityError } from '../core/quantity.ts'
import { duration } from './config-fields.ts'
import { parseLoad } from './load.ts'

/** Simulated time since the start, up to a year. */
export const moment = (description: string) => duration(description, { min: '0s', max: '8784h' })

export const count = (least: number) =>
  v.pipe(
    v.number(`a whole number from ${least}`),
    v.integer(`a whole number from ${least}`),
    v.minValue(least, `a whole number from ${least}`),
    v.title(`whole number from ${least}`),
  )

function isBytes(text: string): boolean {
  try {
    return parseBytes(text) > 0
  } catch (error) {
    if (error instanceof QuantityError || error instanceof RangeError) return false
    throw error
  }
}
export const bytes = v.pipe(
  v.string('a quantity such as 16Gi'),
  v.check(isBytes, 'a quantity such as 16Gi'),
  v.title('quantity of bytes, such as 16Gi'),
)

export const name = v.pipe(v.string('a name'), v.nonEmpty('a name'))

/** By what they are called, as labels and annotations are. */
export const texts = (description: string) =>
  v.pipe(
    v.record(v.string(), v.string('a text'), 'texts by name'),
    v.title('texts by name'),
    v.description(description),
  )

/** The text stays as it is: the cluster reads it again, from an annotation. */
export const load = (description: string) =>
  v.pipe(
    v.string('a load such as steady cpu=300m'),
    v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
      try {
        // One that ends would be started again and again by its Deployment.
        if (parseLoad(dataset.value).kind !== 'batch') return dataset.value
        addIssue({ message: 'expected a load without an end, got batch; apply a Job in a step' })
      } catch (error) {
        if (!(error instanceof InvalidInput)) throw error
        addIssue({ message: error.message })
      }
      return NEVER
    }),
    v.title('[load](#loads)'),
    v.description(description),
  )
