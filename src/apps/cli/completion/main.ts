/** `mbcas completion`, and what its scripts ask: joined with the kubeconfig and the cluster. */
import { homedir } from 'node:os'

import type { Command } from 'commander'

import { createKube } from '../../../adapters/kube/client.ts'
import { readKubeconfig } from '../../../adapters/kube/kubeconfig-file.ts'
import { loadConfig } from '../../../adapters/kube/load-config.ts'
import { resizeReasons } from '../../../core/resize/types.ts'
import {
  answerOf,
  type Candidate,
  candidatesOf,
  completeWords,
  filesAnswer,
  type NameKind,
  type Typed,
} from './complete.ts'
import { namesFor } from './names.ts'
import { completionScripts, type Shell } from './scripts.ts'

export async function runCompletion(shell: Shell): Promise<number> {
  process.stdout.write(completionScripts[shell])
  return 0
}

export async function runComplete(program: Command, words: readonly string[]): Promise<number> {
  const { completion, flags } = completeWords(program, words)
  if (completion.kind === 'files') process.stdout.write(filesAnswer)
  else if (completion.kind === 'words') process.stdout.write(answerOf(completion.candidates))
  else process.stdout.write(answerOf(await namesOf(completion.of, completion.prefix, flags)))
  return 0
}

/** Whoever types waits for the answer. */
const longestMillis = 2000

/** A name that cannot be learnt is no error: whoever types goes on typing. */
async function namesOf(of: NameKind, prefix: string, flags: Typed['flags']): Promise<Candidate[]> {
  try {
    if (of === 'context') return candidatesOf(prefix, contextsOf(flags))
    if (of === 'reason') return candidatesOf(prefix, resizeReasons)
    const { kubeconfig, context, namespace } = flags
    const config = await loadConfig({ kubeconfig, context })
    const kube = createKube(config, { timeoutMillis: longestMillis, retries: { attempts: 1 } })
    try {
      return await namesFor(kube, { of, prefix, namespace, usual: config.namespace })
    } finally {
      kube.close()
    }
  } catch {
    return []
  }
}

const contextsOf = ({ kubeconfig }: Typed['flags']): string[] => [
  ...readKubeconfig({ path: kubeconfig, env: process.env, home: homedir() }).contexts.keys(),
]
