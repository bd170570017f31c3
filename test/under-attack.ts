/** Our processes as an operator starts them, with the flags of bin/mbcas, on an embedded cluster. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { applyCrds } from '../src/adapters/kube/apply-crds.ts'
import { createKube, type KubeClient } from '../src/adapters/kube/client.ts'
import { loadConfig } from '../src/adapters/kube/load-config.ts'
import { unlimited } from './contracts/embedded.ts'
import { startEmbedded } from './embedded.ts'
import { root } from './run.ts'
import { type Speaking, startSpeaking } from './speaking.ts'
import { until } from './until.ts'

export type Victim = Speaking & {
  readonly name: string
  readonly port: number
  /** Highest so far. */
  readonly peakMegabytes: () => number
  /** It runs, and answers as it does at rest. */
  readonly assertWell: () => Promise<void>
}

export type Scene = {
  readonly kube: KubeClient
  readonly start: (name: string, ...flags: readonly string[]) => Promise<Victim>
  readonly strike: () => Promise<void>
}

export async function setScene(...flags: readonly string[]): Promise<Scene> {
  const cluster = await startEmbedded(...flags)
  const undo: (() => unknown)[] = [cluster.stop]
  const kube = createKube(await loadConfig({ kubeconfig: cluster.kubeconfig }), {
    limits: unlimited,
  })
  undo.push(kube.close)
  await applyCrds(kube)
  return {
    kube,
    start: async (name, ...flags) => {
      const args = [name, '--kubeconfig', cluster.kubeconfig, '--listen', '127.0.0.1:0', ...flags]
      const victim = await startVictim(name, args)
      undo.push(victim.stop)
      return victim
    },
    strike: async () => {
      for (const step of undo.toReversed()) await step()
    },
  }
}

async function startVictim(name: string, args: readonly string[]): Promise<Victim> {
  const command: [string] = [join(root, 'bin', 'mbcas')]
  const { caught, ...process } = await startSpeaking(args, /http:\/\/127\.0\.0\.1:(\d+)/, command)
  let end: number | NodeJS.Signals | undefined
  void process.ended.then((code) => (end = code))
  return {
    ...process,
    name,
    port: Number(caught),
    peakMegabytes: () => {
      const status = readFileSync(`/proc/${process.pid}/status`, 'utf8')
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
    },
    assertWell: async () => {
      // Not at once: on a busy machine anybody misses a few turns.
      await until(`${name} to be well`, async () => {
        assert.equal(end, undefined, process.said.slice(-30).join('\n'))
        return (await fetch(`http://127.0.0.1:${caught}/healthz`)).status === 200
      })
    },
  }
}
