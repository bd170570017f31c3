/** The kubeconfig of an embedded cluster, for kubectl and for processes of ours. */
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { InvalidInput } from '../../core/errors.ts'
import { checkReplaceable, replaceFile } from '../replace-file.ts'

export type Access = { readonly url: string; readonly authority: string; readonly token: string }

/** By it we know a file that we may overwrite. */
const mark = '# Written by `mbcas cluster`; it is overwritten when that starts again.'

const kubeconfigOf = ({ url, authority, token }: Access): string => `${mark}
apiVersion: v1
kind: Config
clusters:
  - name: mbcas
    cluster:
      server: ${url}
      certificate-authority-data: ${Buffer.from(authority).toString('base64')}
users:
  - name: admin
    user:
      token: ${token}
contexts:
  - name: mbcas
    context:
      cluster: mbcas
      user: admin
current-context: mbcas
`

/** Somebody's own kubeconfig is never overwritten. */
export function checkKubeconfig(path: string): void {
  const isFree = (): boolean => {
    // Its folder is made when it is written.
    if (existsSync(dirname(path))) checkReplaceable(path)
    return !existsSync(path) || beginningOf(path, mark.length) === mark
  }
  if (trying(path, isFree)) return
  throw new InvalidInput(
    `--kubeconfig: expected a new file, or one that mbcas cluster wrote, got ${path}, which is ` +
      'neither: give another path, or move that file away',
  )
}

/** Only for whoever runs the cluster: it holds a token. */
export function writeKubeconfig(path: string, access: Access): void {
  trying(path, () => {
    mkdirSync(dirname(path), { recursive: true })
    replaceFile(path, kubeconfigOf(access), 0o600)
  })
}

/** However large it is. */
function beginningOf(path: string, bytes: number): string {
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(bytes)
    return buffer.toString('utf8', 0, readSync(file, buffer))
  } finally {
    closeSync(file)
  }
}

/** A path in a folder of its own, and how to remove both. */
export function temporaryKubeconfig(): { readonly path: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-cluster-'))
  return {
    path: join(folder, 'kubeconfig'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** What a file system refuses is for whoever gave the flag. */
function trying<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new InvalidInput(`--kubeconfig ${path}: ${(error as Error).message}`, { cause: error })
  }
}
