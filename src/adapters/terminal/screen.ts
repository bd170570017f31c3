/** The terminal of this process as a screen: what was there comes back, however the process ends. */
import type { ReadStream, WriteStream } from 'node:tty'

import type { OpenScreen, Screen } from '../../ports/screen.ts'
import { keysIn } from './keys.ts'

/** Of xterm: an alternate screen, no cursor, and long lines are cut instead of wrapped. */
const enter = '\u001B[?1049h\u001B[?25l\u001B[?7l'
const leave = '\u001B[?7h\u001B[?25h\u001B[?1049l'
const home = '\u001B[H'
const eraseRestOfLine = '\u001B[K'
const eraseBelow = '\u001B[J'

const signals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const

type Terminal = { readonly stdin: ReadStream; readonly stdout: WriteStream }

export const openScreen =
  ({ stdin, stdout }: Terminal): OpenScreen =>
  ({ onKey, onResize }) => {
    let isOpen = true

    const onData = (data: Buffer): void => keysIn(data.toString('utf8')).forEach(onKey)
    const end = (signal: NodeJS.Signals): void => {
      close()
      process.kill(process.pid, signal) // nobody listens any more: it ends us as it would have
    }

    const close: Screen['close'] = () => {
      if (!isOpen) return
      isOpen = false
      stdin.off('data', onData)
      stdout.off('resize', onResize)
      process.off('exit', close)
      for (const signal of signals) process.off(signal, end)
      stdin.setRawMode(false)
      stdin.pause()
      stdout.write(leave) // to a terminal it is written before this returns
    }

    stdin.setRawMode(true)
    stdin.on('data', onData)
    stdout.on('resize', onResize)
    process.on('exit', close)
    for (const signal of signals) process.on(signal, end)
    stdout.write(enter)
    return {
      // One that does not know its size says 0.
      size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
      draw: (lines) => {
        if (!isOpen) return
        stdout.write(home + lines.map((line) => line + eraseRestOfLine).join('\r\n') + eraseBelow)
      },
      close,
    }
  }
