import type { Clock } from '../ports/clock.ts'

export type Delays = {
  /** The earlier of two moments for one key wins. */
  readonly add: (key: string, duration: number) => void
  readonly stop: () => void
}

type Entry = { readonly key: string; readonly due: number; readonly order: number }

/** Hands keys over when they fall due, in the order of their moments, with one sleep at a time. */
export function delayKeys({ now, sleep }: Clock, handOver: (key: string) => void): Delays {
  let heap: Entry[] = []
  const current = new Map<string, Entry>()
  let order = 0
  let sleeping = new AbortController()
  let running = false
  const stopped = new AbortController()

  const run = async () => {
    running = true
    for (let next = heap[0]; next !== undefined && !stopped.signal.aborted; next = heap[0]) {
      const left = next.due - now()
      if (left > 0) {
        sleeping = new AbortController()
        await sleep(left, sleeping.signal)
      } else {
        removeFirst(heap)
        if (current.get(next.key) === next) {
          current.delete(next.key)
          handOver(next.key)
        }
      }
    }
    running = false
  }

  return {
    add: (key, duration) => {
      const due = now() + duration
      if (stopped.signal.aborted || (current.get(key)?.due ?? Infinity) <= due) return
      order += 1
      const entry = { key, due, order }
      current.set(key, entry)
      // What an earlier moment replaced stays in the heap until it is most of it.
      if (heap.length > 2 * current.size + 64) heap = [...current.values()].toSorted(compare)
      else insert(heap, entry)
      if (!running) void run()
      else if (heap[0] === entry) sleeping.abort()
    },
    stop: () => {
      stopped.abort()
      sleeping.abort()
    },
  }
}

const compare = (a: Entry, b: Entry): number => a.due - b.due || a.order - b.order

function insert(heap: Entry[], entry: Entry): void {
  let at = heap.length
  while (at > 0) {
    const parent = heap[(at - 1) >> 1] ?? entry
    if (compare(parent, entry) <= 0) break
    heap[at] = parent
    at = (at - 1) >> 1
  }
  heap[at] = entry
}

function removeFirst(heap: Entry[]): void {
  const moved = heap.pop()
  if (moved === undefined || heap.length === 0) return
  let at = 0
  for (;;) {
    const left = heap[2 * at + 1]
    const right = heap[2 * at + 2]
    if (left === undefined) break
    const child = right !== undefined && compare(right, left) < 0 ? right : left
    if (compare(moved, child) <= 0) break
    heap[at] = child
    at = 2 * at + (child === left ? 1 : 2)
  }
  heap[at] = moved
}
