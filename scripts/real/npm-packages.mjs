import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import { step } from '../step.mjs'
import { places } from './places.mjs'

/** Outside the checkout: 83 MB that only a bench wants. */
export async function officialClient() {
  const { path, source, stamp } = places.officialClient
  mkdirSync(path, { recursive: true })
  for (const file of source) copyFileSync(file, join(path, basename(file)))
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
  await step('installing the official Kubernetes client', npm, args, { cwd: path })
  writeFileSync(stamp, '')
}
