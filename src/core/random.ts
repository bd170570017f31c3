/**
 * Randomness as a value: who needs it receives a `Random`, so that a seed repeats a run exactly.
 *
 * sfc32, Chris Doty-Humphrey's Small Fast Counting generator (PractRand, 2010): 128 bits of state,
 * a period of at least 2^32 and about 2^127 on average, passes PractRand and BigCrush. splitmix32
 * spreads the seed over the state, so that neighbouring seeds give unrelated sequences.
 */
export type Random = () => number

/** A sequence in [0, 1) in steps of 2^-32; equal seeds give equal sequences. */
export function seededRandom(seed: number): Random {
  if (!Number.isSafeInteger(seed)) {
    throw new RangeError(`seeding a generator: expected a whole number, got ${seed}`)
  }
  const spread = splitmix32(seed | 0)
  let a = spread()
  let b = spread() ^ Math.floor(seed / 2 ** 32) // distinct seeds above 32 bits stay distinct
  let c = spread()
  let counter = 1
  const next = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }
  for (let i = 0; i < 12; i += 1) next() // the author's count for mixing in a seed
  return next
}

function splitmix32(state: number): () => number {
  return () => {
    state = (state + 0x9e3779b9) | 0
    let z = state
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return z ^ (z >>> 15)
  }
}

/** Reorders in place, every order equally likely (Fisher and Yates). */
export function shuffle(items: unknown[], random: Random): void {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const pick = Math.floor(random() * (last + 1))
    const moved = items[last]
    items[last] = items[pick]
    items[pick] = moved
  }
}
