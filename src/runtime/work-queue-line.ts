export type Line<T> = {
  readonly push: (item: T) => void
  /** The one that came first. */
  readonly take: () => T | undefined
  readonly clear: () => void
}

/** An array with a moving start: shifting a long one each time is slow. */
export function createLine<T>(): Line<T> {
  let items: T[] = []
  let first = 0
  return {
    push: (item) => void items.push(item),
    take: () => {
      const item = items[first]
      if (first < items.length) first += 1
      if (first > 1000 && first * 2 > items.length) {
        items = items.slice(first)
        first = 0
      }
      return item
    },
    clear: () => {
      items = []
      first = 0
    },
  }
}
