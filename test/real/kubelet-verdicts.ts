/** What becomes of a pod under a kubelet's CPU and Memory Managers, as one line: foretold, or seen. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Pod } from '../../src/apis/pod.ts'
import type { ClusterNode } from '../kubernetes/cluster.ts'

/** `main on 0-1, memory on 0; log shared`, or `SMTAlignmentError: ...`. */
export type Verdict = string

type Container = {
  readonly name: string
  readonly cpus: string | null
  readonly memory: readonly { readonly numa: readonly number[] }[]
}

const admitted = (containers: readonly Container[]): Verdict =>
  containers
    .map(({ name, cpus, memory }) => {
      const nodes = memory.map(({ numa }) => `, memory on ${numa.join('+')}`)
      return `${name} ${cpus === null ? 'shared' : `on ${cpus}`}${nodes.join('')}`
    })
    .join('; ')

/** As `mbcas cpu plan -o json` prints it. */
export type PrintedPlan = {
  readonly pods: readonly {
    readonly admitted: boolean
    readonly refusal?: { readonly reason: string; readonly message: string }
    readonly containers: readonly Container[]
  }[]
  readonly shared: string
}

export const foretold = ({ pods }: PrintedPlan): Verdict[] =>
  pods.map(({ refusal, containers }) =>
    refusal === undefined ? admitted(containers) : `${refusal.reason}: ${refusal.message}`,
  )

/** Why a kubelet refused it is in the status, beside what we read elsewhere. */
type Status = Pod['status'] & { readonly reason?: string; readonly message?: string }

/** Undefined until the kubelet has decided. */
export function seen(node: ClusterNode, { metadata, spec, status }: Pod): Verdict | undefined {
  const { phase, reason = '', message = '', containerStatuses } = (status ?? {}) as Status
  if (phase === 'Failed') return `${reason}: ${message.replace('Pod was rejected: ', '')}`
  if (containerStatuses === undefined) return undefined // a start time alone may come before
  const cpus = entriesOf<string>(node, 'cpu_manager_state', metadata.uid)
  const memory = entriesOf<{ numaAffinity: number[] }[]>(node, 'memory_manager_state', metadata.uid)
  const containers = [...(spec.initContainers ?? []), ...spec.containers]
  return admitted(
    containers.map(({ name }) => ({
      name,
      cpus: cpus[name] ?? null,
      memory: (memory[name] ?? []).map(({ numaAffinity }) => ({ numa: numaAffinity })),
    })),
  )
}

/** What a manager's checkpoint says of a pod, by container. */
function entriesOf<T>({ kubeletFolder }: ClusterNode, file: string, uid = ''): Record<string, T> {
  const { entries = {} } = JSON.parse(readFileSync(join(kubeletFolder, file), 'utf8')) as {
    entries?: Record<string, Record<string, T>>
  }
  return entries[uid] ?? {}
}
