import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

/** What is at `path` is whole: it is built beside it, then renamed. */
export async function inPlace(
  /** @type {string} */ path,
  /** @type {(folder: string) => Promise<void>} */ build,
) {
  mkdirSync(dirname(path), { recursive: true })
  const folder = mkdtempSync(`${path}.building-`)
  try {
    await build(folder)
    if (!existsSync(path)) renameSync(folder, path) // else another set-up was faster
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
