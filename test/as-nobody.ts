const NOBODY = 65_534

/** Does the work without root's rights; who has none anyway keeps what it has. */
export function asNobody(work: () => void): void {
  if (process.getuid?.() !== 0) return work()
  process.seteuid?.(NOBODY)
  try {
    work()
  } finally {
    process.seteuid?.(0)
  }
}
