import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

import { step } from '../step.mjs'
import { missingPackages } from './places.mjs'

const policy = '/usr/sbin/policy-rc.d'
const mark = 'mbcas: no services while installing'

export async function packages() {
  const missing = missingPackages()
  const remedy = `install ${missing.join(' ')}`
  if (!existsSync('/usr/bin/apt-get')) throw new Error(`apt-get is not here; ${remedy} yourself`)
  if (process.getuid?.() !== 0) throw new Error(`needs root; sudo apt-get ${remedy}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = ['-o', 'DPkg::Lock::Timeout=120']
  await step('listing the Debian packages', 'apt-get', [...apt, 'update'], { env })
  await withoutServices(() =>
    step(
      `installing ${missing.join(', ')}`,
      'apt-get',
      [...apt, 'install', '--yes', '--no-install-recommends', ...missing],
      { env },
    ),
  )
}

/** Keeps the packages from starting an etcd or a containerd of their own. */
async function withoutServices(/** @type {() => Promise<void>} */ install) {
  const theirs = existsSync(policy) && !readFileSync(policy, 'utf8').includes(mark)
  if (theirs) return install() // a container's own: it forbids them too
  writeFileSync(policy, `#!/bin/sh\n# ${mark}\nexit 101\n`, { mode: 0o755 })
  try {
    await install()
  } finally {
    rmSync(policy)
  }
}
