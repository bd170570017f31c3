/**
 * The checkpoint of the kubelet's CPU Manager, from text to values. Its checksum is not checked: it is
 * made over the kubelet's own types, and the file is replaced as a whole.
 *
 *   {"policyName":"static","defaultCpuSet":"0-1","entries":{"<pod UID>":{"<container>":"2-3,5"}}, ...}
 *
 * Source: k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/state, formats 2 and 3.
 */
import * as v from 'valibot'

import { parseAs } from '../../apis/parse.ts'
import { type ByContainer, byContainer } from '../../core/cpu/by-container.ts'
import { type CpuSet, parseCpuSet } from '../../core/cpu/cpu-set.ts'

export type CpuCheckpoint = {
  readonly policy: string
  /** Empty unless the policy is static. */
  readonly shared: CpuSet
  readonly exclusive: ByContainer<CpuSet>
}

const cpus = v.string('a list of CPUs')

const checkpoint = v.object(
  {
    policyName: v.string('a text'),
    defaultCpuSet: v.optional(cpus, ''),
    entries: v.optional(
      v.record(v.string(), v.record(v.string(), cpus, 'CPUs by container'), 'containers by pod'),
      {},
    ),
  },
  'an object',
)

export function parseCpuCheckpoint(text: string): CpuCheckpoint {
  const { policyName, defaultCpuSet, entries } = parseAs(checkpoint, JSON.parse(text), CHECKPOINT)
  return {
    policy: policyName,
    shared: parseCpuSet(defaultCpuSet),
    exclusive: byContainer(entries, parseCpuSet),
  }
}

const CHECKPOINT = 'the checkpoint of the CPU Manager'
