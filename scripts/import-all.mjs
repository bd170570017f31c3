// Loads the given test files into this one process: a process a file costs ten times as much.
import { resolve } from 'node:path'
import { before } from 'node:test'
import { pathToFileURL } from 'node:url'

import fc from 'fast-check'

// The same questions each time, so that a failure is about the change; MBCAS_SEED=random asks others,
// and a failure names the seed.
const seed = process.env.MBCAS_SEED ?? '4'
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) })

const load = async () => {
  for (const file of process.argv.slice(2)) await import(pathToFileURL(resolve(file)).href)
}
const loaded = load()
// A test that does something without root's rights must not meet a file that is about to be read.
before(async () => loaded)
await loaded
