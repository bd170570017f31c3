import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { step } from '../step.mjs'
import { missingPackages } from './places.mjs'

const policy = '/usr/sbin/policy-rc.d'
const mark = 'mbcas: no services while installing'
const apt = ['-o', 'DPkg::Lock::Timeout=120']
const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }

export const packages = () => installPackages(missingPackages())

export async function installPackages(/** @type {string[]} */ missing) {
  const remedy = `install ${missing.join(' ')}`
  if (!existsSync('/usr/bin/apt-get')) throw new Error(`apt-get is not here; ${remedy} yourself`)
  if (process.getuid?.() !== 0) throw new Error(`needs root; sudo apt-get ${remedy}`)
  await listPackages()
  await withoutServices(() =>
    step(
      `installing ${missing.join(', ')}`,
      'apt-get',
      [...apt, 'install', '--yes', '--no-install-recommends', ...missing],
      { env },
    ),
  )
}

/**
 * Puts the files of a package into an empty folder; nothing is installed.
 * @param {string} name
 * @param {{ folder: string, title: string }} options
 */
export async function unpackPackage(name, { folder, title }) {
  if (!existsSync('/usr/bin/apt-get')) throw new Error(`${title}: needs a Debian with apt-get`)
  if (spawnSync('apt-cache', ['show', name]).status !== 0) await listPackages()
  await step(`${title}: getting it`, 'apt-get', ['download', name], { cwd: folder })
  const [archive = ''] = readdirSync(folder)
  await step(title, 'dpkg', ['-x', archive, '.'], { cwd: folder })
  rmSync(join(folder, archive))
}

const listPackages = () =>
  step('listing the Debian packages', 'apt-get', [...apt, 'update'], { env })

/** Keeps the packages from starting an etcd or an nginx of their own, now and at the next boot. */
async function withoutServices(/** @type {() => Promise<void>} */ install) {
  const before = new Set(startedAtBoot())
  const theirs = existsSync(policy) && !readFileSync(policy, 'utf8').includes(mark)
  // A container's own stays: it forbids them too.
  if (!theirs) writeFileSync(policy, `#!/bin/sh\n# ${mark}\nexit 101\n`, { mode: 0o755 })
  try {
    await install()
  } finally {
    if (!theirs) rmSync(policy)
    for (const link of startedAtBoot()) if (!before.has(link)) rmSync(link)
  }
}

/** Links by which systemd starts services: what `systemctl enable` makes, and `disable` removes. */
function startedAtBoot() {
  const units = '/etc/systemd/system'
  if (!existsSync(units)) return []
  return readdirSync(units)
    .filter((name) => name.endsWith('.target.wants'))
    .flatMap((wants) => readdirSync(join(units, wants)).map((name) => join(units, wants, name)))
    .filter((link) => link.endsWith('.service'))
}
