import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { step } from '../step.mjs'
import { places } from './places.mjs'

export async function oracleVenv() {
  const { path, source, stamp } = places.oracleVenv
  if (spawnSync('python3', ['-c', 'import venv, ensurepip']).status !== 0)
    throw new Error(
      'python3 with venv is not here; install python3 and python3-venv (3.11 or later)',
    )
  await step('making the Python environment', 'python3', ['-m', 'venv', '--clear', path])
  const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--requirement', source]
  await step('installing the solvers', join(path, 'bin', 'python'), pip)
  writeFileSync(stamp, '')
}
