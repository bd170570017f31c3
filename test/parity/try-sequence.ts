/** Runs a sequence on one server, in a namespace of its own. */
import { join } from 'node:path'

import { busyboxImage } from '../kubernetes/images.ts'
import { pathOf, real } from '../real.ts'
import { type Ran, run } from '../run.ts'
import { folder, type Sequence } from './sequence.ts'

export type Server = { readonly kubeconfig: string; readonly cache: string }
/** What each step said, as it was. */
export type Tried = { readonly namespace: string; readonly said: readonly Ran[] }

const binary = () => join(pathOf(real.kubernetes), 'kubectl')
/** `given FILE` prints a manifest of this sequence's own names. */
const functions = `kubectl() { command "$KUBECTL" "$@"; }
given() { sed "s/\\$NS/$NS/g" "$1"; }`
let count = 0

export async function trySequence(server: Server, { steps }: Sequence): Promise<Tried> {
  count += 1
  const namespace = `parity-${process.pid}-${count}`
  const shell = async (command: string) =>
    run('/bin/sh', ['-c', `${functions}\n${command}`], {
      cwd: join(folder, 'manifests'),
      timeout: 120_000,
      env: {
        KUBECTL: join(server.cache, 'kubectl'),
        KUBECONFIG: server.kubeconfig,
        NS: namespace,
        NODE: 'node-0',
        IMAGE: busyboxImage,
      },
    })
  await shell(`"$KUBECTL" create namespace "$NS"`)
  const said: Ran[] = []
  for (const { command } of steps) said.push(await shell(command))
  await shell(`"$KUBECTL" delete namespace "$NS" --wait=false`)
  return { namespace, said }
}

/** kubectl with the namespace and a discovery cache of its own: the usual one may be of another server. */
export const kubectlScript = (cache: string): string =>
  `#!/bin/sh\nexec ${binary()} --cache-dir ${join(cache, 'discovery')} \${NS:+-n "$NS"} "$@"\n`
