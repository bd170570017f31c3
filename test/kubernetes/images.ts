/**
 * Container images without a registry: a tar of Docker's `image save` format, which
 * `ctr image import` reads. One layer: static busybox with a link for each of its programs.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export const busyboxImage = 'mbcas.local/busybox:1'
/** Holds a pod's namespaces open. The same image under a name of its own, so that no pod's removal takes it. */
export const pauseImage = 'mbcas.local/pause:1'

type Entry =
  | { readonly path: string; readonly content: Buffer; readonly mode?: number }
  | { readonly path: string; readonly link: string }
  | { readonly path: string; readonly folder: true }

export function busyboxTar(): Buffer {
  const programs = execFileSync('/bin/busybox', ['--list'], { encoding: 'utf8' }).trim().split('\n')
  return imageTar({
    tags: [busyboxImage, pauseImage],
    command: ['/bin/sleep', '2147483647'],
    entries: [
      ...['bin', 'etc', 'tmp'].map((path) => ({ path, folder: true as const })),
      { path: 'etc/passwd', content: Buffer.from('root:x:0:0:root:/:/bin/sh\n') },
      { path: 'bin/busybox', content: readFileSync('/bin/busybox'), mode: 0o755 },
      ...programs
        .filter((name) => name !== 'busybox')
        .map((name) => ({ path: `bin/${name}`, link: 'busybox' })),
    ],
  })
}

export function imageTar(image: {
  readonly tags: readonly string[]
  readonly command: readonly string[]
  readonly entries: readonly Entry[]
}): Buffer {
  const layer = tar(image.entries)
  const config = json({
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    config: { Cmd: image.command, Env: ['PATH=/bin'] },
    rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(layer)}`] },
  })
  const manifest = json([{ Config: 'config.json', RepoTags: image.tags, Layers: ['layer.tar'] }])
  return tar([
    { path: 'config.json', content: config },
    { path: 'manifest.json', content: manifest },
    { path: 'layer.tar', content: layer },
  ])
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** POSIX ustar: a header of 512 bytes an entry, contents padded to 512, two empty blocks. */
function tar(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    const content = 'content' in entry ? entry.content : Buffer.alloc(0)
    return [header(entry, content.length), content, Buffer.alloc(-content.length & 511)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

function header(entry: Entry, size: number): Buffer {
  const block = Buffer.alloc(512)
  const octal = (value: number, at: number, width: number) =>
    block.write(value.toString(8).padStart(width - 1, '0'), at)
  const kind = 'folder' in entry ? '5' : 'link' in entry ? '2' : '0'
  block.write(entry.path, 0, 100)
  octal('content' in entry ? (entry.mode ?? 0o644) : 0o755, 100, 8)
  octal(0, 108, 8) // owner and group: root; time: 1970, so that the same files give the same hash
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(0, 136, 12)
  block.write(' '.repeat(8), 148) // the checksum counts itself as spaces
  block.write(kind, 156)
  if ('link' in entry) block.write(entry.link, 157, 100)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}
