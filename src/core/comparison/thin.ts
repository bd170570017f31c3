/** As many points as a plot can show. */
const MOST_POINTS = 240

type Point = { readonly at: number; readonly [figure: string]: number }

/**
 * Neighbours become one, equally many everywhere but at the end: it begins when the first of them did
 * and has their means.
 *
 *   points, at most 2           become
 *   (0, 4) (1, 6) (2, 1)        (0, 5) (2, 1)
 */
export function thin<P extends Point>(points: readonly P[], most = MOST_POINTS): P[] {
  const size = Math.ceil(points.length / most)
  if (size <= 1) return [...points]
  const thinned: P[] = []
  for (let i = 0; i < points.length; i += size) {
    const group = points.slice(i, i + size)
    const [first] = group
    if (first !== undefined) thinned.push({ ...meanOf(group, first), at: first.at })
  }
  return thinned
}

function meanOf<P extends Point>(group: readonly P[], first: P): P {
  const means = Object.keys(first).map((figure) => {
    const sum = group.reduce((all, point) => all + (point[figure] ?? 0), 0)
    return [figure, sum / group.length] as const
  })
  return { ...first, ...Object.fromEntries(means) }
}
