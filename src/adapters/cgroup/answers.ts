/** What the kernel answers to whoever reads or writes the files of a group. */
import { readFileSync } from 'node:fs'

/** Such as EINVAL; undefined when it is done. */
export function failureOf(work: () => void): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return code
  }
}

/** Undefined when there is no such file: the group is gone, or has no such controller. */
export function textIfAny(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENODEV') return undefined
    throw new Error(`reading ${file}: ${code}`, { cause: error })
  }
}
