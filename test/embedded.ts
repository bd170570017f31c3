/** The embedded cluster as a person runs it: `mbcas cluster` in a process of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Speaking, startSpeaking } from './speaking.ts'

export type Embedded = Speaking & { readonly url: string; readonly kubeconfig: string }

/** Ends when it serves. */
export async function startEmbedded(...flags: readonly string[]): Promise<Embedded> {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-embedded-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const args = ['cluster', '--kubeconfig', kubeconfig, ...flags]
    const { caught: url, ...process } = await startSpeaking(args, /^ready: (https:\S+)$/)
    void process.ended.then(remove)
    return { ...process, url, kubeconfig }
  } catch (error) {
    remove()
    throw error
  }
}
