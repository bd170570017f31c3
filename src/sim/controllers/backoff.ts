/** How long to wait after failures in a row: doubled each time, as the real controllers' queues do. */
type Backoff = {
  readonly next: (key: string) => number
  readonly forget: (key: string) => void
}

/** The real ones begin at 5 ms: half a dozen tries within the first second, which show nothing more. */
const first = 1000
const longest = 1_000_000

export function createBackoff(): Backoff {
  const waits = new Map<string, number>()
  return {
    next: (key) => {
      const wait = Math.min((waits.get(key) ?? first / 2) * 2, longest)
      waits.set(key, wait)
      return wait
    },
    forget: (key) => void waits.delete(key),
  }
}
