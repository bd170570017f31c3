/** Random nodes, and pods that come, start and go on them. */
import type { Pod } from '../../../src/apis/pod.ts'
import { cpuSet, formatCpuSet } from '../../../src/core/cpu/cpu-set.ts'
import {
  topologyPolicies,
  topologyScopes,
} from '../../../src/core/cpu/topology-manager/settings.ts'
import type { CpuPlace } from '../../../src/core/cpu/topology.ts'
import type { Dice } from '../resize/pods.ts'
import { makeDistances, makePlaces } from './machines.ts'
import { makeStaticOptions, makeTopologyOptions, type Options } from './options.ts'

/** A manager that is absent has its policy `none`. */
export type PlayQuestion = {
  readonly op: 'play'
  readonly topology: { readonly cpus: readonly CpuPlace[] }
  readonly numaNodes: readonly {
    readonly id: number
    readonly distances?: readonly number[]
    readonly memory: Readonly<Record<string, number>>
  }[]
  readonly topologyManager: {
    readonly policy: string
    readonly scope: string
    readonly options: Options
  }
  readonly cpuManager?: { readonly options: Options; readonly reserved: string }
  readonly memoryManager?: {
    readonly reserved: Readonly<Record<string, Readonly<Record<string, number>>>>
  }
  readonly steps: readonly Step[]
}

/** A pod comes; by UID, its apps have started, or it has gone. */
export type Step =
  | { readonly admit: Pod }
  | { readonly start: string }
  | { readonly release: string }

const Mi = 2 ** 20
const Gi = 2 ** 30

export function askToPlay(dice: Dice): PlayQuestion {
  const cpus = makePlaces(dice, 0.01)
  const ids = cpuSet(cpus.map(({ numa }) => numa))
  const nodes = dice.chance(0.1) && ids.length < 8 ? [...ids, (ids.at(-1) ?? 0) + 1] : ids
  // Of ids with gaps the kubelet would look for distances where there are none.
  const isDense = nodes.every((id, i) => id === i)
  const distances = makeDistances(nodes.length, dice)
  // The kubelet tries all combinations of hints: of two resources on six nodes, of four on four.
  const kinds = nodes.length > 4 ? [] : ['hugepages-2Mi', 'hugepages-1Gi']
  const pages = kinds.filter(() => dice.chance(0.4))
  const hasMemory = nodes.length <= 6 && dice.chance(0.75)
  return {
    op: 'play',
    topology: { cpus },
    numaNodes: nodes.map((id) => ({
      id,
      ...(isDense && { distances: distances[id] ?? [] }),
      memory: {
        memory: dice.pick([4, 6, 6, 8]) * Gi,
        ...Object.fromEntries(pages.map((name) => [name, dice.below(3) * Gi])),
      },
    })),
    topologyManager: {
      policy: dice.pick(topologyPolicies),
      scope: dice.pick(topologyScopes),
      options: makeTopologyOptions(dice),
    },
    ...(dice.chance(0.9) && {
      cpuManager: {
        options: makeStaticOptions(dice),
        reserved: formatCpuSet(
          cpuSet(cpus.filter((_, i) => i === 0 || dice.chance(0.03)).map(({ cpu }) => cpu)),
        ),
      },
    }),
    ...(hasMemory && { memoryManager: { reserved: makeReserve(nodes, pages, dice) } }),
    steps: makeSteps(pages, dice),
  }
}

/** Now and then more than a node has, beside its huge pages. */
function makeReserve(
  nodes: readonly number[],
  pages: readonly string[],
  dice: Dice,
): Record<string, Record<string, number>> {
  const amounts = () => ({
    memory: dice.pick([0, 1, 1, 1, 5]) * 512 * Mi,
    ...(dice.chance(0.1) && pages[0] !== undefined && { [pages[0]]: Gi }),
  })
  return Object.fromEntries(
    nodes.filter(() => dice.chance(0.8)).map((id) => [String(id), amounts()]),
  )
}

function makeSteps(pages: readonly string[], dice: Dice): Step[] {
  const pods: Pod[] = []
  return Array.from({ length: 1 + dice.below(6) }, (_, i): Step => {
    const known = pods.length === 0 ? undefined : dice.pick(pods)
    const uid = known?.metadata.uid
    if (known !== undefined && uid !== undefined) {
      if (dice.chance(0.1)) return { release: uid }
      if (dice.chance(0.1)) return { start: uid }
      if (dice.chance(0.1)) return { admit: known } // the kubelet has restarted
    }
    const pod = makePod(`pod-${i}`, pages, dice)
    pods.push(pod)
    return { admit: pod }
  })
}

function makePod(uid: string, pages: readonly string[], dice: Dice): Pod {
  const isGuaranteed = dice.chance(0.9)
  const container = (name: string) => ({
    name,
    resources: makeResources(isGuaranteed, pages, dice),
  })
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: uid, uid },
    spec: {
      initContainers: Array.from({ length: dice.pick([0, 0, 1, 2, 3]) }, (_, i) => ({
        ...container(`init-${i}`),
        ...(dice.chance(0.3) && { restartPolicy: 'Always' }),
      })),
      containers: Array.from({ length: dice.pick([1, 1, 2, 3]) }, (_, i) => container(`app-${i}`)),
      ...(dice.chance(0.03) && { resources: makeResources(isGuaranteed, [], dice) }),
    },
  }
}

function makeResources(isGuaranteed: boolean, pages: readonly string[], dice: Dice) {
  const requests: Record<string, string> = {
    cpu: dice.pick(['1', '1', '2', '2', '3', '4', '4', '6', '8', '500m', '1500m']),
    memory: dice.chance(0.01) ? '1500m' : dice.pick(['256Mi', '1Gi', '1Gi', '2Gi', '3Gi', '5Gi']),
  }
  for (const name of pages) if (dice.chance(0.2)) requests[name] = dice.pick(['1Gi', '1Gi', '2Gi'])
  const limits = isGuaranteed ? requests : { ...requests, memory: '16Gi' }
  return { requests, limits }
}
