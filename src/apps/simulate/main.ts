/** `mbcas simulate`: scenarios under several controllers, each on a cluster of its own with the same load. */
import { performance } from 'node:perf_hooks'

import { checkReplaceable, replaceFile } from '../../adapters/replace-file.ts'
import { InvalidInput } from '../../core/errors.ts'
import type { Shown, SimulateFlags } from './flags.ts'
import { simulateOne } from './one/main.ts'
import { createProgress, type Progress } from './progress.ts'
import { simulateMany } from './random/main.ts'

/** The exit code. */
export async function runSimulate(flags: SimulateFlags): Promise<number> {
  const { out } = flags
  if (out !== undefined) writing(out, () => checkReplaceable(out)) // not only when it is all done
  const progress = createProgress({
    isTTY: process.stderr.isTTY,
    write: (text) => void process.stderr.write(text),
  })
  const began = performance.now()
  const { text, played } = await simulate(flags, progress)
  if (out === undefined) process.stdout.write(text)
  else writing(out, () => replaceFile(out, text, 0o644))
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const where = out === undefined ? '' : `, written to ${out}`
  progress.end(`${played} in ${seconds} s${where}`)
  return 0
}

async function simulate(flags: SimulateFlags, progress: Progress): Promise<Shown> {
  const { file, random, apart } = flags
  if (apart === true && random === undefined) {
    throw new InvalidInput(
      '--apart: expected --random as well; in a file workloads name a namespace',
    )
  }
  if (file !== undefined && random === undefined) return simulateOne({ ...flags, file }, progress)
  if (file === undefined && random !== undefined)
    return simulateMany({ ...flags, random }, progress)
  const got = file === undefined ? 'neither' : 'both'
  throw new InvalidInput(`expected either --file or --random, got ${got}`)
}

function writing(path: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    throw new InvalidInput(`--out ${path}: ${(error as Error).message}`, { cause: error })
  }
}
