/** Bands on top of each other: each line is the sum of its band and all below it. */
type Values = readonly (number | null)[]

/** What is not there takes no room. stack([[1, 2], [3, null]]) = [[1, 2], [4, 2]] */
export function stack(bands: readonly Values[], length: number): number[][] {
  let below: readonly number[] = Array.from({ length }, () => 0)
  return bands.map((band) => {
    const line = below.map((sum, i) => sum + (band[i] ?? 0))
    below = line
    return line
  })
}

/** The band that a height at a sample is in: the first whose line is not below it; -1 above all. */
export const bandAt = (
  lines: readonly (readonly number[])[],
  index: number,
  height: number,
): number => lines.findIndex((line) => (line[index] ?? 0) >= height)
