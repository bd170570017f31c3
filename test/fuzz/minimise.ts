/** A smaller input that fails in the same way: parts are left out as long as it does. */
import type { FuzzInput } from './target.ts'

/** Enough for some kilobytes; a large input stays larger than it must be. */
const MOST_ATTEMPTS = 2000

export async function minimise(
  input: FuzzInput,
  fails: (smaller: FuzzInput) => Promise<boolean>,
): Promise<FuzzInput> {
  let smallest = input
  let attempts = 0
  for (
    let size = Math.ceil(input.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < smallest.length && attempts < MOST_ATTEMPTS;) {
      attempts += 1
      const smaller = without(smallest, from, from + size)
      if (await fails(smaller)) smallest = smaller
      else from += size
    }
  }
  return smallest
}

const without = (input: FuzzInput, from: number, to: number): FuzzInput =>
  typeof input === 'string'
    ? input.slice(0, from) + input.slice(to)
    : Buffer.concat([input.subarray(0, from), input.subarray(to)])
