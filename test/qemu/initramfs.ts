/** What the guest boots into: busybox, this Node with its libraries, and programs with their imports. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { buildSync } from 'esbuild'

/** The line after which the number is the program's exit code. */
export const ENDED = 'mbcas guest: ended with'

const PROGRAM = 'program.mjs'

const init = `#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
mount -t cgroup2 cgroup /sys/fs/cgroup
cd /program
/bin/node --test-reporter=tap ${PROGRAM}
echo "${ENDED} $?"
poweroff -f
`

/** `programs` are compiled files. Gives the archive's path, in `folder`. */
export function makeInitramfs(folder: string, programs: readonly string[]): string {
  const tree = join(folder, 'tree')
  const put = (from: string, to: string): void => {
    mkdirSync(dirname(join(tree, to)), { recursive: true })
    copyFileSync(from, join(tree, to))
  }
  for (const name of ['proc', 'sys', 'dev', 'tmp', 'program']) {
    mkdirSync(join(tree, name), { recursive: true })
  }
  put('/bin/busybox', 'bin/busybox')
  put(process.execPath, 'bin/node')
  for (const library of librariesOf(process.execPath)) put(library, library)
  // One file with all that it imports: the guest has no packages.
  const outfile = join(tree, 'program', PROGRAM)
  const contents = programs.map((file) => `import ${JSON.stringify(file)}`).join('\n')
  const stdin = { contents, resolveDir: folder }
  buildSync({ stdin, outfile, bundle: true, platform: 'node', format: 'esm' })
  writeFileSync(join(tree, 'init'), init, { mode: 0o755 })
  const archive = join(folder, 'initramfs')
  // Not compressed: an emulated CPU unpacks slower than QEMU loads.
  execFileSync('sh', ['-c', `find . | busybox cpio -o -H newc > ${archive}`], {
    cwd: tree,
    stdio: 'pipe',
  })
  return archive
}

const librariesOf = (binary: string): string[] =>
  [...execFileSync('ldd', [binary], { encoding: 'utf8' }).matchAll(/\/\S+/g)].map(([path]) => path)
