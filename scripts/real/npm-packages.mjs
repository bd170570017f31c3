import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import { step } from '../step.mjs'
import { places } from './places.mjs'

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
const quietly = ['--ignore-scripts', '--no-audit', '--no-fund']

/** Outside the checkout: 83 MB that only a bench wants. */
export async function officialClient() {
  const { path, source, stamp } = places.officialClient
  mkdirSync(path, { recursive: true })
  for (const file of source) copyFileSync(file, join(path, basename(file)))
  const args = ['ci', ...quietly]
  await step('installing the official Kubernetes client', npm, args, { cwd: path })
  writeFileSync(stamp, '')
}

/** The binary alone, for a bench of the agent. */
export async function node24() {
  const { folder, source } = places.node24
  mkdirSync(folder, { recursive: true })
  await step('installing Node 24', npm, ['install', '--prefix', folder, ...quietly, source])
}
