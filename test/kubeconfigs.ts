/** Kubeconfigs in a folder of their own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { formatYaml } from '../src/adapters/document.ts'
import type { KubeConfig } from '../src/adapters/kube/config.ts'
import { loadKubeconfig } from '../src/adapters/kube/kubeconfig.ts'

export type Plain = Record<string, unknown>

export const folder = mkdtempSync(join(tmpdir(), 'mbcas-kubeconfig-'))
process.once('exit', () => rmSync(folder, { recursive: true }))

export const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A kubeconfig of one context, cluster and user, of which a test states only what differs. */
export const document = ({ cluster = {}, user = {}, context = {}, ...top }: Plain = {}): Plain => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'home',
  contexts: [{ name: 'home', context: { cluster: 'c', user: 'u', ...(context as Plain) } }],
  clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:6443', ...(cluster as Plain) } }],
  users: [{ name: 'u', user: user as Plain }],
  ...top,
})

export function save(text: string | Plain, name = 'config'): string {
  const path = join(folder, name)
  writeFileSync(path, typeof text === 'string' ? text : formatYaml(text))
  return path
}

export const load = (parts: Plain = {}, context?: string): KubeConfig =>
  loadKubeconfig({
    path: save(document(parts)),
    env: {},
    home: folder,
    ...(context === undefined ? {} : { context }),
  })
