import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { installPackages, unpackPackage } from './packages.mjs'
import { missingEmulator, places } from './places.mjs'

/** QEMU from Debian; of its kernel's package the kernel alone, so that nothing is installed to boot. */
export async function cgroup2Kernel() {
  const { path, source } = places.cgroup2Kernel
  const missing = missingEmulator()
  if (missing.length > 0) await installPackages(missing)
  mkdirSync(dirname(path), { recursive: true })
  const folder = mkdtempSync(`${path}.unpacking-`)
  const title = 'unpacking a kernel with cgroup v2'
  try {
    const name = packageOf(source)
    await unpackPackage(name, { folder, title })
    const boot = join(folder, 'boot')
    const kernel = readdirSync(boot).find((file) => file.startsWith('vmlinuz'))
    if (kernel === undefined) throw new Error(`${title}: expected boot/vmlinuz-* in ${name}`)
    copyFileSync(join(boot, kernel), join(folder, 'vmlinuz'))
    renameSync(join(folder, 'vmlinuz'), path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The package of one version that the package of the newest depends on. */
function packageOf(/** @type {string} */ newest) {
  const { stdout } = spawnSync('apt-cache', ['depends', newest], { encoding: 'utf8' })
  const name = /Depends: (linux-image-\S+)/.exec(stdout ?? '')?.[1]
  if (name === undefined) throw new Error(`apt-cache knows no ${newest}; run apt-get update`)
  return name
}
