/**
 * Amounts are whole numbers that carry their unit in the type, so that millicores and bytes
 * cannot be mixed. Floats live inside an algorithm; results leave through `split`.
 */
declare const unit: unique symbol
export type Unit<U extends string> = number & { readonly [unit]: U }

export type Millicores = Unit<'millicores'>
export type Bytes = Unit<'bytes'>
export type MicroUsd = Unit<'micro-usd'>
export type Millis = Unit<'millis'>

export const millicores = (value: number): Millicores => whole(value, 'millicores') as Millicores
export const bytes = (value: number): Bytes => whole(value, 'bytes') as Bytes
export const microUsd = (value: number): MicroUsd => whole(value, 'micro-usd') as MicroUsd
export const millis = (value: number): Millis => whole(value, 'millis') as Millis

// NoInfer keeps T from widening to a union in which units mix.
export const plus = <T extends Unit<string>>(a: T, b: NoInfer<T>): T => (a + b) as T
export const sum = <T extends Unit<string>>(amounts: readonly T[]): T =>
  amounts.reduce((all: number, amount) => all + amount, 0) as T
/** Undefined where some amount is. */
export const sumOfAll = <T extends number>(amounts: readonly (T | undefined)[]): T | undefined =>
  amounts.reduce<number | undefined>(
    (all, amount) => (all === undefined || amount === undefined ? undefined : all + amount),
    0,
  ) as T | undefined
export const minus = <T extends Unit<string>>(a: T, b: NoInfer<T>): T => (a - b) as T

function whole(value: number, name: string): number {
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`expected a whole number of ${name}, got ${value}`)
  }
  return value === 0 ? 0 : value // -0 would print as "-0"
}

/**
 * Splits `total` in proportion to `weights`. Parts always sum to `total`: the running total is
 * rounded, not each part, so a part is off by less than 1 and nothing is lost or made.
 *
 *   split(100, [1, 1, 1])  ->  33, 34, 33
 *   split(10, [0, 3, 1])   ->  0, 8, 2
 *   split(7, [])           ->  refused: nobody to take the 7
 */
export function split<T extends Unit<string>>(total: T, weights: readonly number[]): T[] {
  let sum = 0
  for (const [i, weight] of weights.entries()) {
    if (!(weight >= 0 && weight < Infinity)) {
      throw new RangeError(
        `splitting ${total}: expected weight ${i} to be 0 or more, got ${weight}`,
      )
    }
    sum += weight
  }
  if (total !== 0 && !(sum > 0 && sum < Infinity)) {
    throw new RangeError(`splitting ${total}: expected weights with a positive sum, got ${sum}`)
  }
  const parts: T[] = []
  let running = 0
  let given = 0
  const last = weights.findLastIndex((weight) => weight > 0)
  for (const [i, weight] of weights.entries()) {
    running += weight
    const upTo = i >= last ? total : Math.round(total * (running / sum))
    parts.push((total === 0 ? 0 : upTo - given) as T)
    given = upTo
  }
  return parts
}
