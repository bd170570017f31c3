/** Measures every setting, or those whose name contains the given words, and keeps it as the oracle. */
import { writeFileSync } from 'node:fs'

import { compare } from './compare.ts'
import { measureQuietly, whyNot } from './measure.ts'
import { readRecorded, recordedFile } from './recorded.ts'
import { settings } from './setting.ts'

const reason = whyNot()
if (reason !== undefined) throw new Error(`recording the kernel: ${reason}`)
const words = process.argv.slice(2).join(' ')
const kept = words === '' ? [] : readRecorded()
const lines: string[] = []
for (const setting of settings) {
  const old = kept.find((measured) => measured.setting.name === setting.name)
  const measured =
    old !== undefined && !setting.name.includes(words) ? old : await measureQuietly(setting)
  lines.push(JSON.stringify(measured))
  if (measured === old) continue
  const noise = ((measured.stealRatio + measured.othersRatio) * 100).toFixed(0)
  for (const { name, usageError, throttledError } of compare(measured)) {
    const errors = [usageError, throttledError].map((error) => `${(error * 100).toFixed(1)} %`)
    console.log(`${name}: ${errors.join(', ')}; others used ${noise} % of the machine`)
  }
}
writeFileSync(recordedFile, `${lines.join('\n')}\n`)
