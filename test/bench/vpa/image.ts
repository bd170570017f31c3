/** The image of the pods: this Node, the libraries it needs, and the one file that it runs. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { ClusterNode } from '../../kubernetes/cluster.ts'
import { imageTar } from '../../kubernetes/images.ts'
import { answer } from '../../kubernetes/processes.ts'

export const serverImage = 'mbcas.local/vpa-bench-server:1'
const script = fileURLToPath(new URL('server-process.js', import.meta.url))
const scriptPath = '/server.mjs'

export const commandOf = (...args: readonly string[]): string[] => [
  '/bin/node',
  scriptPath,
  ...args,
]

export async function importImage({ containerd }: ClusterNode, folder: string): Promise<void> {
  const file = join(folder, 'vpa-bench-server.tar')
  writeFileSync(file, serverTar())
  try {
    const ctr = ['--address', containerd, '--namespace', 'k8s.io']
    await answer('ctr', [...ctr, 'image', 'import', file])
  } finally {
    rmSync(file)
  }
}

function serverTar(): Buffer {
  const libraries = librariesOf(process.execPath)
  const folders = new Set(['bin', 'tmp', ...libraries.flatMap(foldersAbove)])
  return imageTar({
    tags: [serverImage],
    command: commandOf(),
    entries: [
      ...[...folders].map((path) => ({ path, folder: true as const })),
      { path: 'bin/node', content: readFileSync(process.execPath), mode: 0o755 },
      ...libraries.map((path) => ({ path: inTar(path), content: readFileSync(path), mode: 0o755 })),
      { path: inTar(scriptPath), content: readFileSync(script) },
    ],
  })
}

const inTar = (path: string): string => path.slice(1)

/** `/lib/x86_64-linux-gnu/libc.so.6` has `lib` and `lib/x86_64-linux-gnu` above it. */
function foldersAbove(path: string): string[] {
  const parts = inTar(path).split('/').slice(0, -1)
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'))
}

/** Lines read `libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x7f...)`, that of the loader has no arrow. */
function librariesOf(program: string): string[] {
  const said = execFileSync('ldd', [program], { encoding: 'utf8' })
  return [...said.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path)
}
