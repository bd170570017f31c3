/**
 * The checkpoint of the kubelet's CPU manager, from text to values. Its checksum is not checked: it is
 * made over the kubelet's own types, and the file is replaced as a whole.
 *
 *   {"policyName":"static","defaultCpuSet":"0-1","entries":{"<pod UID>":{"<container>":"2-3,5"}}, ...}
 *
 * Source: k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/state, formats 2 and 3.
 */
import type { CpuManagerState } from '../../ports/cpu-manager.ts'

export function parseCpuManager(text: string): CpuManagerState {
  const { policyName, entries = {} } = fieldsOf(JSON.parse(text), 'the checkpoint')
  if (typeof policyName !== 'string') throw refusal('policyName', 'a text', policyName)
  const exclusiveCpus = Object.entries(fieldsOf(entries, 'entries')).map(([uid, containers]) => {
    const counts = Object.entries(fieldsOf(containers, `entries of pod ${uid}`))
    return [uid, new Map(counts.map(([name, list]) => [name, countCpus(list, name)]))] as const
  })
  return { policy: policyName, exclusiveCpus: new Map(exclusiveCpus) }
}

/**
 * Of a list in the kernel's form.
 *
 *   2-3,5  ->  3
 *   7      ->  1
 *   ""     ->  0
 */
function countCpus(list: unknown, container: string): number {
  if (list === '') return 0
  const what = `CPUs of container ${container}`
  if (typeof list !== 'string') throw refusal(what, 'a list such as 2-3,5', list)
  return list.split(',').reduce((sum, part) => {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? []
    const count = Number(last) - Number(first) + 1
    if (!(count > 0)) throw refusal(what, 'a list such as 2-3,5', list)
    return sum + count
  }, 0)
}

function fieldsOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw refusal(what, 'an object', value)
}

const refusal = (what: string, expected: string, got: unknown): Error =>
  new Error(`parsing ${what}: expected ${expected}, got ${JSON.stringify(got)}`)
