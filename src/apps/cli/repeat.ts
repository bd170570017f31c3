/** Prints once or, with `-w`, again and again. */
import type { Clock } from '../../ports/clock.ts'

export type Printing = {
  /** What is to be printed now. */
  readonly produce: () => Promise<string>
  readonly write: (text: string) => void
  /** For what went wrong after a first success, and is tried again. */
  readonly complain: (message: string) => void
  /** On one, each time replaces the last. */
  readonly isTerminal: boolean
  readonly clock: Clock
  /** Undefined: once. */
  readonly intervalMillis: number | undefined
  readonly signal?: AbortSignal
}

const home = '\u001B[H'
const eraseAll = '\u001B[2J'
const eraseRestOfLine = '\u001B[K'
const eraseBelow = '\u001B[J'

export async function print(printing: Printing): Promise<void> {
  const { produce, write, clock, intervalMillis, isTerminal, signal } = printing
  const first = await produce()
  if (intervalMillis === undefined) {
    write(first)
    return
  }
  write(isTerminal ? eraseAll + inPlace(first) : first)
  for (;;) {
    await clock.sleep(intervalMillis, signal)
    if (signal?.aborted === true) return
    try {
      const text = await produce()
      write(isTerminal ? inPlace(text) : text)
    } catch (error) {
      printing.complain(`${(error as Error).message}; trying again`)
    }
  }
}

/** Line by line over the last one, so that nothing flickers. */
const inPlace = (text: string): string =>
  home + text.replaceAll('\n', `${eraseRestOfLine}\n`) + eraseBelow
