import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import type { Pair } from '../../certificates.ts'

export type ForkedPodServer = {
  readonly url: string
  readonly connections: () => Promise<number>
  readonly close: () => void
}

type Told = { readonly url: string; readonly connections: number }

const script = fileURLToPath(new URL('pod-server-process.js', import.meta.url))

export async function forkPodServer(
  { certFile, keyFile }: Pair,
  { pods, events }: { readonly pods: number; readonly events: number },
): Promise<ForkedPodServer> {
  const child = fork(script, [String(pods), String(events), certFile, keyFile])
  let gone: (error: Error) => void
  const ended = new Promise<never>((_, reject) => (gone = reject))
  ended.catch(() => {}) // said to whoever asks
  child.once('exit', (code) => gone(new Error(`the pod server ended with ${code}`)))
  const told = async () => {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [Told]
    return message
  }
  const { url } = await told()
  return {
    url,
    connections: async () => {
      const answer = told()
      child.send('connections')
      return (await answer).connections
    },
    close: () => void child.kill(),
  }
}
