/** Why a pod was refused, in words for an operator. */
import { formatBytes } from '../../quantity.ts'
import type { Bytes } from '../../units.ts'
import { formatCpuSet } from '../cpu-set.ts'
import type { Hint, HintList, ProviderHints } from '../hint.ts'
import type { NodeMemory } from '../memory/state.ts'
import { availableCpus } from '../static-policy/state.ts'
import type { KubeletNode, NodeState } from './node.ts'

/** On eight nodes there can be 255: the narrow ones come first, and tell enough. */
const MOST_SHOWN = 6

/** `cpu {0}* {1}* {0,1}, memory {0,1}* (* preferred)` */
export function explainHints(providers: readonly ProviderHints[]): string {
  const lists = providers.flatMap((hints) => Object.entries(hints))
  const said = lists.flatMap(([resource, list]) =>
    list === null ? [] : [`${resource} ${listOf(list)}`],
  )
  return said.length === 0 ? 'none has a preference' : `${said.join(', ')} (* preferred)`
}

function listOf(list: NonNullable<HintList>): string {
  if (list.length === 0) return 'cannot be had'
  const shown = list.slice(0, MOST_SHOWN).map(hintOf).join(' ')
  return list.length > MOST_SHOWN ? `${shown} and ${list.length - MOST_SHOWN} more` : shown
}

const hintOf = ({ affinity, preferred }: Hint): string =>
  `${affinity === null ? 'any' : `{${affinity.join(',')}}`}${preferred ? '*' : ''}`

/** `free are CPUs 1-7, memory 7Gi on node 0, memory 8Gi on node 1` */
export function explainFree({ cpu }: KubeletNode, state: NodeState): string {
  const cpus =
    cpu && state.cpu ? [`CPUs ${formatCpuSet(availableCpus(cpu, state.cpu)) || 'none'}`] : []
  return `free are ${[...cpus, ...(state.memory?.nodes ?? []).flatMap(freeOn)].join(', ')}`
}

const freeOn = ({ numa, free }: NodeMemory): string[] =>
  Object.entries(free).map(([resource, amount]) => {
    // Below 0: the kubelet thinks that it has no end.
    const shown = amount < 0 ? 'without end' : formatBytes(amount as Bytes)
    return `${resource} ${shown} on node ${numa}`
  })
