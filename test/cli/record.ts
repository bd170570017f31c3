/** Writes what the command line prints into `golden/`: read the difference before you commit it. */
import { mkdirSync, writeFileSync } from 'node:fs'

import { goldenFolder, goldenPath } from './golden-files.ts'
import { allOutputs } from './outputs.ts'

mkdirSync(goldenFolder, { recursive: true })
for (const [name, text] of await allOutputs()) writeFileSync(goldenPath(name), text)
