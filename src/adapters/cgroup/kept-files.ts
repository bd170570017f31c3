/**
 * Files that stay open and are read again and again from their start: half the cost of opening them
 * each time. A cgroup that is removed answers ENODEV on what was open, also when another of the
 * same name has taken its place, and ENOENT on what was not.
 */
import { closeSync, openSync, readSync } from 'node:fs'

/** One for all, since reads are synchronous. The longest file, cpu.stat of v2, has about 300 bytes. */
const buffer = Buffer.allocUnsafe(4096)

/** The file is not there, or no longer. */
export class Gone extends Error {
  override readonly name = 'Gone'
}

export type KeptFiles<Name extends string> = {
  /** Opened when first asked for. */
  readonly text: (name: Name) => string
  /** Undefined when the kernel has no such file. */
  readonly textIfAny: (name: Name) => string | undefined
  readonly close: () => void
}

export function keepFiles<Name extends string>(
  paths: Readonly<Record<Name, string>>,
): KeptFiles<Name> {
  const open = new Map<Name, number>()
  const absent = new Set<Name>()
  const text = (name: Name): string => {
    try {
      const descriptor = open.get(name) ?? openSync(paths[name], 'r')
      open.set(name, descriptor)
      return readStart(descriptor)
    } catch (error) {
      throw refusal(paths[name], error)
    }
  }
  const textIfAny = (name: Name): string | undefined => {
    if (absent.has(name)) return undefined
    try {
      return text(name)
    } catch (error) {
      if (!(error instanceof Gone) || open.has(name)) throw error
      absent.add(name)
      return undefined
    }
  }
  const close = (): void => {
    for (const descriptor of open.values()) closeSync(descriptor)
    open.clear()
  }
  return { text, textIfAny, close }
}

function readStart(descriptor: number): string {
  const length = readSync(descriptor, buffer, 0, buffer.length, 0)
  if (length < buffer.length) return buffer.toString('latin1', 0, length)
  throw new Error(`expected less than ${buffer.length} bytes, got more`)
}

/** EOPNOTSUPP: pressure, on a kernel where it is turned off. */
const gone = new Set(['ENOENT', 'ENODEV', 'ENOTDIR', 'EOPNOTSUPP'])

function refusal(path: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException
  const why = code === 'EACCES' ? 'EACCES; run as root' : (code ?? message)
  const kind = code !== undefined && gone.has(code) ? Gone : Error
  return new kind(`reading ${path}: ${why}`, { cause: error })
}
