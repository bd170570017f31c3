/** A program in a terminal of its own: Python's pty module makes one. */
import { spawn } from 'node:child_process'

import { root } from '../run.ts'
import { patienceMillis } from '../until.ts'

/**
 * Relays what the program writes, and tells at the end on a last line: its exit code or the signal that
 * ended it, and whether the terminal is as it was. Commands come as lines: `key TEXT`, `size ROWS COLS`, `kill SIGNAL`.
 */
const driver = `
import codecs, fcntl, json, os, pty, select, signal, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
def size(rows, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
size(24, 80)
before = termios.tcgetattr(fd)[3]
after = before
buffer = b''
while True:
    ready, _, _ = select.select([fd, 0], [], [])
    if fd in ready:
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        if not data:
            break
        os.write(1, data)
        after = termios.tcgetattr(fd)[3]
    if 0 in ready:
        data = os.read(0, 65536)
        if not data:
            os.kill(pid, signal.SIGKILL)
            break
        buffer += data
        while b'\\n' in buffer:
            line, buffer = buffer.split(b'\\n', 1)
            what, _, rest = line.decode().partition(' ')
            if what == 'key':
                os.write(fd, codecs.decode(rest, 'unicode_escape').encode())
            elif what == 'size':
                size(*map(int, rest.split()))
            elif what == 'kill':
                os.kill(pid, getattr(signal, rest))
try:
    after = termios.tcgetattr(fd)[3]
except termios.error:
    pass
_, status = os.waitpid(pid, 0)
code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
print('\\n' + json.dumps({'code': code, 'isRestored': after == before}))
`

export type Ended = {
  /** Below 0 it is the signal. */
  readonly code: number
  /** Lines are read and echoed as before. */
  readonly isRestored: boolean
}

export type TerminalProgram = {
  /** All that it wrote so far. */
  readonly written: () => string
  /** As a person presses it; `\\x1b` and the like are understood. */
  readonly press: (keys: string) => void
  readonly resize: (rows: number, columns: number) => void
  readonly kill: (signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP') => void
  /** Waits until what was written since the last key or size matches. */
  readonly until: (pattern: RegExp) => Promise<void>
  readonly ended: Promise<Ended>
}

export function startInTerminal(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): TerminalProgram {
  const child = spawn('python3', ['-c', driver, ...command], {
    cwd: root,
    env: { ...process.env, TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const killAtExit = (): void => void child.kill('SIGKILL')
  process.once('exit', killAtExit)
  let written = ''
  let mark = 0
  let notify = (): void => {}
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text
    notify()
  })
  const send = (line: string): void => {
    mark = written.length
    child.stdin.write(`${line}\n`)
  }
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', () => {
      process.off('exit', killAtExit)
      notify()
      const last = written.trimEnd().split('\n').at(-1) ?? ''
      const isKilled = !last.startsWith('{')
      resolve(isKilled ? { code: -9, isRestored: false } : (JSON.parse(last) as Ended))
    })
  })
  const until = async (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const fail = (): void => {
        notify = () => {}
        child.kill('SIGKILL') // its terminal goes with it, and ends the program
        reject(new Error(`never ${pattern}; since then:\n${JSON.stringify(written.slice(mark))}`))
      }
      const timer = setTimeout(fail, patienceMillis)
      notify = () => {
        if (!pattern.test(written.slice(mark))) return
        clearTimeout(timer)
        notify = () => {}
        resolve()
      }
      notify()
    })
  return {
    written: () => written,
    press: (keys) => send(`key ${keys}`),
    resize: (rows, columns) => send(`size ${rows} ${columns}`),
    kill: (signal) => send(`kill ${signal}`),
    until,
    ended,
  }
}
