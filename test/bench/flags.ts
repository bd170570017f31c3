/** What benches read from their command lines. */

export function wholeNumber(flag: string, given: string | undefined, otherwise: number): number {
  const value = given === undefined ? otherwise : Number(given)
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new Error(`${flag}: expected a whole number above 0, got ${given}`)
}

/** Seeds are drawn after the parameters are known, unless a run is to be repeated. */
export const drawSeed = (): number => 1 + Math.floor(Math.random() * 1_000_000)

/** As in the tables, in any case, with or without spaces: `by-hand` is `by hand`. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9.]/g, '')

export function named<Named extends { readonly name: string }>(
  flag: string,
  given: string | undefined,
  known: readonly Named[],
): readonly Named[] | undefined {
  return given?.split(',').map((name) => {
    const found = known.find((one) => plain(one.name) === plain(name))
    if (found !== undefined) return found
    const names = known.map((one) => one.name).join(', ')
    throw new Error(`${flag}: expected names among ${names}, got ${name}`)
  })
}
