/** The client has four connections: more than a few would only wait, and be held in memory meanwhile. */
const AT_ONCE = 8

/** Works on the items in their order, a few at once; results are in the same order. */
export async function fewAtOnce<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const waiting = items.entries()
  const takeOn = async (): Promise<void> => {
    for (const [i, item] of waiting) results[i] = await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, takeOn))
  return results
}
