// Which test file runs when, by its folder alone. A file is in the first group whose folder has it,
// so that each is in exactly one, and in the quick one unless somebody put it elsewhere.
import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'

/**
 * @typedef {'check' | 'e2e' | 'slow' | 'real'} Group
 * @typedef {{ group: Group, folders: readonly string[], why: string }} Row
 */

/** @type {readonly Row[]} */
export const groups = [
  { group: 'real', folders: ['test/real/'], why: 'has a real cluster, kernel or browser' },
  { group: 'slow', folders: ['test/slow/'], why: 'takes more than 20 s of CPU time' },
  { group: 'e2e', folders: ['test/e2e/', 'test/chaos/'], why: 'starts processes or servers' },
  { group: 'check', folders: ['src/', 'web/', 'test/', 'scripts/'], why: 'milliseconds' },
]

/**
 * What `node scripts/test.mjs NAME` runs.
 * @type {Readonly<Record<string, readonly Group[]>>}
 */
export const commands = {
  check: ['check'],
  test: ['check', 'e2e'],
  all: ['check', 'e2e', 'slow', 'real'],
}

/** @returns {Group | undefined} */
export const groupOf = (/** @type {string} */ file) =>
  groups.find(({ folders }) => folders.some((folder) => file.startsWith(folder)))?.group

/** Listed from the sources, so that what a deleted test left in dist does not run. */
const testsBelow = (/** @type {string} */ folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) =>
      join(entry.parentPath ?? entry.path, entry.name)
        .split(sep)
        .join('/'),
    )

/** From the root of the checkout. */
export const findTests = () => ['scripts', 'src', 'test', 'web'].flatMap(testsBelow).toSorted()
