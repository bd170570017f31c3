/** Keys to look at, each at most once at a time; the simulated kin of a work queue. */
import type { Agenda } from '../agenda.ts'

type Loop = {
  /** Looks at the key soon, or after so many simulated milliseconds. */
  readonly add: (key: string, after?: number) => void
}

/** `look` may say after how many milliseconds it wants to see the key again. */
export function createLoop(agenda: Agenda, look: (key: string) => number | undefined): Loop {
  const waiting = new Map<string, { readonly due: number; readonly crossOut: () => void }>()

  const add = (key: string, after = 0) => {
    const due = agenda.now() + after
    const known = waiting.get(key)
    if (known !== undefined) {
      if (known.due <= due) return
      known.crossOut()
    }
    const crossOut = agenda.at(due, () => {
      waiting.delete(key)
      const again = look(key)
      if (again !== undefined) add(key, again)
    })
    waiting.set(key, { due, crossOut })
  }
  return { add }
}
