/**
 * Files that stay open and are read again and again from their start: half the cost of opening them
 * each time. A cgroup that is removed answers ENODEV on what was open, ENOENT on what was not.
 */
import { closeSync, openSync, readSync } from 'node:fs'

/** One for all, since reads are synchronous. The longest file, cpu.stat of v2, has about 300 bytes. */
const buffer = Buffer.allocUnsafe(4096)

export type KeptFiles<Name extends string> = {
  /** Their texts, or undefined when one of them is gone. */
  readonly read: () => Readonly<Record<Name, string>> | undefined
  readonly close: () => void
}

/** Undefined when one of them is not there. */
export function keepFiles<Name extends string>(
  paths: Readonly<Record<Name, string>>,
): KeptFiles<Name> | undefined {
  const open: { readonly name: string; readonly path: string; readonly descriptor: number }[] = []
  const close = (): void => {
    for (const { descriptor } of open.splice(0)) closeSync(descriptor)
  }
  for (const [name, path] of Object.entries<string>(paths)) {
    const descriptor = unlessGone(`opening ${path}`, () => openSync(path, 'r'))
    if (descriptor === undefined) {
      close()
      return undefined
    }
    open.push({ name, path, descriptor })
  }
  const read = (): Record<Name, string> | undefined => {
    const texts: Record<string, string> = {}
    for (const { name, path, descriptor } of open) {
      const text = unlessGone(`reading ${path}`, () => readStart(descriptor))
      if (text === undefined) return undefined
      texts[name] = text
    }
    return texts
  }
  return { read, close }
}

function readStart(descriptor: number): string {
  const length = readSync(descriptor, buffer, 0, buffer.length, 0)
  if (length < buffer.length) return buffer.toString('latin1', 0, length)
  throw new Error(`expected less than ${buffer.length} bytes, got more`)
}

const gone = new Set(['ENOENT', 'ENODEV', 'ENOTDIR'])

function unlessGone<T>(doing: string, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== undefined && gone.has(code)) return undefined
    throw new Error(`${doing}: ${code ?? message}`, { cause: error })
  }
}
