/** What the real kernel did when it was recorded: see test/oracles/cfs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { root } from '../../run.ts'
import type { Measured } from './setting.ts'

export const recordedFile = join(root, 'test', 'oracles', 'cfs', 'measured.jsonl')

export const readRecorded = (): Measured[] =>
  readFileSync(recordedFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Measured)
