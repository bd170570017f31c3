/** Random questions about a kubelet's managers, from a seed: the language of the oracle. */
import { cpuSet, formatCpuSet } from '../../../src/core/cpu/cpu-set.ts'
import type { Hint, ProviderHints } from '../../../src/core/cpu/hint.ts'
import { topologyPolicies } from '../../../src/core/cpu/topology-manager/settings.ts'
import type { CpuPlace } from '../../../src/core/cpu/topology.ts'
import { seededRandom } from '../../../src/core/random.ts'
import { type Dice, makeDice } from '../resize/pods.ts'
import { makeDistances, makeManyNodes, makePlaces } from './machines.ts'
import { makeStaticOptions, makeTopologyOptions, type Options } from './options.ts'
import { askToPlay, type PlayQuestion } from './plays.ts'

type CpuQuestion = {
  readonly topology: { readonly cpus: readonly CpuPlace[] }
  readonly options: Options
  readonly reserved: string
  readonly available: string
  readonly reusable: string
  readonly request: number
}
export type AssignQuestion = CpuQuestion & {
  readonly op: 'assign'
  readonly affinity: readonly number[] | null
}
export type HintsQuestion = CpuQuestion & { readonly op: 'hints' }
export type MergeQuestion = {
  readonly op: 'merge'
  readonly policy: string
  readonly numaNodes: readonly number[]
  readonly options: Options
  readonly distances?: readonly (readonly number[])[]
  readonly providers: readonly (ProviderHints | null)[]
}
export type Question = AssignQuestion | HintsQuestion | MergeQuestion | PlayQuestion

const askers = { assign: askToAssign, hints: askForHints, merge: askToMerge, play: askToPlay }
export type Op = keyof typeof askers

export function ask(op: Op, count: number, seed: number): Question[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => askers[op](makeDice(random)))
}

/** Questions with the kubelet's answers, a line each: on these ours and it once disagreed. */
export const keptFile = 'test/oracles/cpu/kept.jsonl'

/** Without these it is no question: what is left of one that is made smaller must have them. */
export const structure =
  'op policy scope topologyManager numaNodes id memory metadata uid name cpu requests limits'.split(
    ' ',
  )

/** Those whose answers are in cases.jsonl. */
export const recorded = (): Question[] =>
  (['assign', 'hints', 'merge', 'play'] as const).flatMap((op, i) => ask(op, 60, i + 1))

function askToAssign(dice: Dice): AssignQuestion {
  const question = makeCpuQuestion(dice)
  const nodes = cpuSet(question.topology.cpus.map(({ numa }) => numa))
  const affinity = dice.chance(0.5) ? nodes.filter(() => dice.chance(0.5)) : null
  return { op: 'assign', ...question, affinity }
}

function askForHints(dice: Dice): HintsQuestion {
  return { op: 'hints', ...makeCpuQuestion(dice) }
}

function makeCpuQuestion(dice: Dice): CpuQuestion {
  // Only over four nodes and more does it show which nodes the kubelet ends up with.
  const isSpread = dice.chance(0.15)
  const cpus = isSpread ? makeManyNodes(dice) : makePlaces(dice, 0.03)
  const reserved = cpus.filter(() => dice.chance(dice.pick([0, 0.1])))
  const rest = cpus.filter((one) => !reserved.includes(one))
  const available = thin(rest, dice)
  const others = rest.filter((one) => !available.includes(one))
  const reusable = dice.chance(0.7) ? [] : others.filter(() => dice.chance(0.3))
  const most = available.length + reusable.length
  return {
    topology: { cpus },
    options: {
      ...makeStaticOptions(dice),
      ...(isSpread && { 'distribute-cpus-across-numa': true }),
    },
    reserved: idsOf(reserved),
    available: idsOf(available),
    reusable: idsOf(reusable),
    request: dice.chance(0.05) ? most + 1 : dice.below(dice.pick([4, 9, most]) + 1),
  }
}

const idsOf = (places: readonly CpuPlace[]): string =>
  formatCpuSet(cpuSet(places.map(({ cpu }) => cpu)))

/** What is left after others took CPUs: single ones, whole cores or whole nodes. */
function thin(places: readonly CpuPlace[], dice: Dice): CpuPlace[] {
  const level = dice.pick(['cpu', 'core', 'core', 'numa'] as const)
  const ratio = dice.pick([0, 0.2, 0.5, 0.8])
  const gone = new Map<number, boolean>()
  for (const place of places) {
    if (!gone.has(place[level])) gone.set(place[level], dice.chance(ratio))
  }
  return places.filter((place) => gone.get(place[level]) === false)
}

function askToMerge(dice: Dice): MergeQuestion {
  const count = dice.pick([1, 2, 2, 3, 4, 4, 6, 8, 9])
  const options = makeTopologyOptions(dice)
  // Ids with gaps: the kubelet would look for their distances where there are none.
  const step = options['prefer-closest-numa-nodes'] === true ? 1 : dice.pick([1, 1, 1, 3])
  const numaNodes = Array.from({ length: count }, (_, i) => i * step)
  // The kubelet tries all combinations: as many hints as it can do in a blink.
  const lists = 1 + dice.below(4)
  const most = [40, 40, 20, 8][lists - 1] ?? 1
  const resources = Array.from({ length: lists }, (_, i) => [
    `resource-${i}`,
    makeHintList(numaNodes, most, dice),
  ])
  const split = dice.below(lists + 1)
  return {
    op: 'merge',
    policy: dice.pick(topologyPolicies),
    numaNodes,
    options,
    ...(dice.chance(0.95) && { distances: makeDistances(count, dice) }),
    providers: [
      Object.fromEntries(resources.slice(0, split)) as ProviderHints,
      dice.chance(0.05) ? null : (Object.fromEntries(resources.slice(split)) as ProviderHints),
    ],
  }
}

function makeHintList(nodes: readonly number[], most: number, dice: Dice): Hint[] | null {
  if (dice.chance(0.05)) return null
  if (dice.chance(0.05)) return []
  const preferredRatio = dice.pick([0, 0.3, 0.7])
  const isHonest = dice.chance(0.5)
  const fewest = 1 + dice.below(Math.min(3, nodes.length))
  return Array.from({ length: 1 + dice.below(most) }, () => {
    if (dice.chance(0.03)) return { affinity: null, preferred: dice.chance(0.5) }
    const ratio = dice.pick([0.2, 0.5, 0.9])
    const affinity = nodes.filter(() => dice.chance(ratio))
    if (dice.chance(0.02)) affinity.push(61) // a node that the machine lacks
    const preferred = isHonest ? affinity.length === fewest : dice.chance(preferredRatio)
    return { affinity, preferred }
  })
}
