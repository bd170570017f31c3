/**
 * Reorders `items` so that the first `count` are those that come first; their order among
 * themselves is left open. Quickselect (Hoare 1961) on the middle item, O(n) expected.
 */
export function takeFirst<T>(
  items: T[],
  count: number,
  comesBefore: (a: T, b: T) => boolean,
): void {
  if (count <= 0 || count >= items.length) return
  let from = 0
  let to = items.length - 1
  while (from < to) {
    const pivot = items[(from + to) >> 1]!
    let i = from
    let j = to
    while (i <= j) {
      while (comesBefore(items[i]!, pivot)) i++
      while (comesBefore(pivot, items[j]!)) j--
      if (i <= j) {
        const item = items[i]!
        items[i++] = items[j]!
        items[j--] = item
      }
    }
    if (count <= j) to = j
    else if (count > i) from = i
    else return
  }
}
