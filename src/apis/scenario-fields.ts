/** Kinds of fields that several parts of a scenario have. */
import * as v from 'valibot'

import { InvalidInput } from '../core/errors.ts'
import { parseBytes, QuantityError } from '../core/quantity.ts'
import { duration } from './config-fields.ts'
import { parseWrittenLoad } from './load.ts'

/** Simulated time since the start, up to a year. */
export const moment = (description: string) => duration(description, { min: '0s', max: '8784h' })

export function count(least: number, most: number) {
  const wanted = `a whole number from ${least} to ${most}`
  return v.pipe(
    v.number(wanted),
    v.integer(wanted),
    v.minValue(least, wanted),
    v.maxValue(most, wanted),
    v.title(`whole number, ${least} to ${most}`),
  )
}

/** What one process can play: `mbcas cluster --nodes` has the same bound, and it is as many pods as on them. */
export const mostNodes = 3000
export const mostPods = 20_000
/** As `--cpus` and `--seed` have it. */
export const mostCpus = 1024
export const largestSeed = 2 ** 31

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

/** As long as Kubernetes has them. */
export const name = v.pipe(
  v.string('a name'),
  v.nonEmpty('a name'),
  v.maxLength(253, 'a name of at most 253 characters'),
)

/** Lists that are compared with each other, or played one by one. */
export const atMost = <const T extends readonly unknown[]>(most: number, what: string) =>
  v.maxLength<T, number, string>(most, `a list of at most ${most} ${what}`)

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
        if (parseWrittenLoad(dataset.value).kind !== 'batch') return dataset.value
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
