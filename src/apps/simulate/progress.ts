/** One line that says how far a long task is, and that ends in a summary. */
import { visible } from '../../core/visible.ts'

export type Screen = {
  readonly isTTY?: boolean | undefined
  readonly write: (text: string) => void
}

export type Progress = {
  readonly show: (line: string) => void
  readonly end: (summary: string) => void
}

const CLEAR_LINE = '\r\u001b[2K'

/** Elsewhere than on a terminal only the end is told. */
export function createProgress({ isTTY = false, write }: Screen): Progress {
  let shown = ''
  return {
    show(line) {
      if (!isTTY || line === shown) return
      shown = line
      write(`${CLEAR_LINE}${visible(line)}`)
    },
    end: (summary) => write(`${isTTY ? CLEAR_LINE : ''}${visible(summary)}\n`),
  }
}
