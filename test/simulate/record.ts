/** Writes the golden tables anew: `node dist/test/simulate/record.js [scenario ...]`. */
import { mkdirSync, writeFileSync } from 'node:fs'

import { goldenFolder, goldenOf, goldenPath, scenarioNames } from './scenarios.ts'

const asked = process.argv.slice(2)
mkdirSync(goldenFolder, { recursive: true })
for (const name of asked.length > 0 ? asked : scenarioNames()) {
  writeFileSync(goldenPath(name), await goldenOf(name))
  console.log(goldenPath(name))
}
