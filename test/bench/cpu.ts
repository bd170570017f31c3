/**
 * How fast we foretell a kubelet: CPUs of a busy node with 384, and merges of the hints of four
 * resources on eight NUMA nodes, each against what one would write down first, with equal results.
 */
import { isDeepStrictEqual } from 'node:util'

import { table, wrap } from '../../src/apps/cli/show.ts'
import { type CpuSet, noCpus } from '../../src/core/cpu/cpu-set.ts'
import type { Hint } from '../../src/core/cpu/hint.ts'
import { isRefusal } from '../../src/core/cpu/refusal.ts'
import { assignCpus } from '../../src/core/cpu/static-policy/assign.ts'
import type { StaticOption } from '../../src/core/cpu/static-policy/options.ts'
import type { StaticPolicy } from '../../src/core/cpu/static-policy/policy.ts'
import { mergeHints } from '../../src/core/cpu/topology-manager/merge.ts'
import { createTopology } from '../../src/core/cpu/topology.ts'
import { policyOf } from '../cpu/policies.ts'
import type { Bench } from './bench.ts'
import { mergePlainly } from './cpu/plain-merge.ts'
import { packPlainly } from './cpu/plain-pack.ts'
import { busyScenes, hintLists, places, type Scene } from './cpu/scenes.ts'
import { race, showMillis } from './timing.ts'

const ASSIGNMENTS = 10_000
const SCENES = 64
const budgetMillis = 600

const topology = createTopology(places)

export const cpu: Bench = {
  name: 'cpu',
  about:
    'CPUs as a kubelet would assign them, and hints as it would merge them, against plain code',
  run() {
    const scenes = busyScenes(policyOf(topology), SCENES)
    checkAssignments(scenes)
    print('Assignments on a busy node of 384 CPUs and 8 NUMA nodes', [
      ...table(
        assignColumns,
        optionSets.map((options) => assignRow(options, scenes)),
      ),
      '',
      ...wrap(
        'Plain: packs by asking the whole list of CPUs at every step, with the same result; it knows no options. 10,000: what so many take.',
        100,
        0,
      ),
    ])
    print('Merges of four resources on eight NUMA nodes', [
      ...table(mergeColumns, widths.map(mergeRow)),
      '',
      ...wrap(
        'Plain: every way to take one hint of each resource. Where these are too many, what it would take at the speed of the row above.',
        100,
        0,
      ),
    ])
  },
}

const print = (title: string, lines: readonly string[]) =>
  console.log(['', title, '', ...lines].join('\n'))

const optionSets: readonly (readonly StaticOption[])[] = [
  [],
  ['full-pcpus-only'],
  ['prefer-align-cpus-by-uncorecache'],
  ['distribute-cpus-across-cores'],
  ['distribute-cpus-across-numa'],
  ['distribute-cpus-across-numa', 'full-pcpus-only'],
]

const assignColumns = [
  { title: 'OPTIONS', align: 'left' },
  { title: 'MEAN', align: 'right' },
  { title: 'BEST', align: 'right' },
  { title: '10,000', align: 'right' },
  { title: 'PLAIN', align: 'right' },
  { title: 'RATIO', align: 'right' },
] as const

const assign = (policy: StaticPolicy, { available, count, affinity }: Scene): CpuSet => {
  const cpus = assignCpus(policy, { available, reusable: noCpus, count, affinity })
  return isRefusal(cpus) ? noCpus : cpus
}

function checkAssignments(scenes: readonly Scene[]): void {
  const policy = policyOf(topology)
  for (const scene of scenes) {
    const plain = packPlainly(places, new Set(scene.available), scene.count)
    if (isDeepStrictEqual(assign(policy, scene), plain)) continue
    throw new Error(`bench: ours and the plain packing differ for ${scene.count} CPUs`)
  }
}

function assignRow(options: readonly StaticOption[], scenes: readonly Scene[]): string[] {
  const policy = policyOf(topology, { options })
  const at = (call: number) => scenes[call % scenes.length] as Scene
  const ours = { name: 'ours', run: (call: number) => assign(policy, at(call)) } as const
  const plain = {
    name: 'plain',
    run: (call: number) => packPlainly(places, new Set(at(call).available), at(call).count),
  } as const
  const hasRival = options.length === 0
  const timings = race(hasRival ? [ours, plain] : [ours], budgetMillis)
  const { mean, best } = timings.ours
  return [
    options.join(' ') || 'none',
    showMillis(mean),
    showMillis(best),
    showMillis(mean * ASSIGNMENTS),
    ...(hasRival
      ? [showMillis(timings.plain.mean), `${(timings.plain.mean / mean).toFixed(0)} x`]
      : []),
  ]
}

/** Nodes of the widest hints: 8, 36 and 255 sets of nodes, about. */
const widths = [1, 2, 8]
const MOST_COMBINATIONS = 5e6

const mergeColumns = [
  { title: 'HINTS', align: 'right' },
  { title: 'COMBINATIONS', align: 'right' },
  { title: 'MEAN', align: 'right' },
  { title: 'BEST', align: 'right' },
  { title: 'PLAIN', align: 'right' },
  { title: 'RATIO', align: 'right' },
] as const

const numaNodes = [0, 1, 2, 3, 4, 5, 6, 7]

const merge = (lists: readonly (readonly Hint[])[]): Hint =>
  mergeHints(
    lists.map((list, i) => ({ [`resource-${i}`]: list })),
    { policy: 'restricted', scope: 'container', numaNodes },
  ).hint

function mergeRow(widest: number): string[] {
  const questions = Array.from({ length: 8 }, (_, seed) => hintLists(widest, seed))
  const counts = questions.map((lists) => lists.reduce((all, { length }) => all * length, 1))
  const combinations = counts.reduce((sum, count) => sum + count, 0) / counts.length
  const isFeasible = combinations <= MOST_COMBINATIONS
  if (isFeasible) for (const lists of questions) checkMerge(lists)
  const at = (call: number) => questions[call % questions.length] as Hint[][]
  const ours = { name: 'ours', run: (call: number) => merge(at(call)) } as const
  const plain = { name: 'plain', run: (call: number) => mergePlainly(at(call), 8) } as const
  const timings = race(isFeasible ? [ours, plain] : [ours], budgetMillis)
  const { mean, best } = timings.ours
  if (isFeasible) nanosACombination = (timings.plain.mean / combinations) * 1e6
  const plainMillis = isFeasible ? timings.plain.mean : (nanosACombination * combinations) / 1e6
  return [
    (questions.flat().reduce((sum, { length }) => sum + length, 0) / 32).toFixed(0),
    Math.round(combinations).toLocaleString('en'),
    showMillis(mean),
    showMillis(best),
    isFeasible ? showMillis(plainMillis) : `about ${(plainMillis / 1000).toFixed(0)} s`,
    `${Math.round(plainMillis / mean).toLocaleString('en')} x`,
  ]
}

/** Of the last row that the plain way could do. */
let nanosACombination = Number.NaN

function checkMerge(lists: readonly (readonly Hint[])[]): void {
  const plain = mergePlainly(lists, numaNodes.length)
  if (isDeepStrictEqual(merge(lists), plain)) return
  throw new Error(`bench: ours and the plain merge differ: ${JSON.stringify(lists)}`)
}
