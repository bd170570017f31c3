/** What the guest boots into: busybox, this Node with its libraries, and one program with its imports. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** The line after which the number is the program's exit code. */
export const ENDED = 'mbcas guest: ended with'

const init = (program: string): string => `#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
mount -t cgroup2 cgroup /sys/fs/cgroup
cd /program
/bin/node --test-reporter=tap ${program}
echo "${ENDED} $?"
poweroff -f
`

/** `program` is a compiled file below `root`. Gives the archive's path, in `folder`. */
export function makeInitramfs(folder: string, root: string, program: string): string {
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
  for (const file of importsOf(join(root, program)))
    put(file, join('program', relative(root, file)))
  writeFileSync(join(tree, 'program', 'package.json'), '{ "type": "module" }')
  writeFileSync(join(tree, 'init'), init(program), { mode: 0o755 })
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

/** The file and all that it imports, directly or not. */
function importsOf(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) .*from '(.+)'/gm,
  )) {
    if (name.startsWith('node:')) continue
    if (!name.startsWith('.')) throw new Error(`${file} imports ${name}: the guest has no packages`)
    importsOf(resolve(dirname(file), name), seen)
  }
  return seen
}
