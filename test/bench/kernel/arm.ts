/** What is put to the same load: laws of others, run here, and our program. */
import { openCgroupWriter } from '../../../src/adapters/cgroup/writer.ts'
import { captain, captainTargets } from '../../../src/core/rivals/captain.ts'
import { fixed } from '../../../src/core/rivals/fixed.ts'
import { koordinator } from '../../../src/core/rivals/koordinator.ts'
import type { Law } from '../../../src/core/rivals/law.ts'
import { recommend, vpa } from '../../../src/core/rivals/vpa.ts'
import { type Millicores, millicores } from '../../../src/core/units.ts'
import type { Past } from '../past.ts'
import { sumOf } from '../statistics.ts'
import { startOurs } from './ours.ts'
import { followLaw, runLaws } from './run-laws.ts'

export type ArmGroup = {
  readonly path: string
  /** Where it starts. */
  readonly quota: Millicores
  readonly past: Past
}

/** An arm at work. */
export type Running = {
  /**
   * Cores promised to each group now, as its request. Without: its quota, as by our program on a host,
   * where quotas together never exceed what can be promised.
   */
  readonly promisedCores?: () => readonly number[]
  /** Throws what went wrong, if anything did. */
  readonly stop: () => Promise<void>
}

export type Arm = {
  readonly name: string
  readonly isOurs: boolean
  /** Before it is made to fit the machine. */
  readonly firstQuota: (past: Past) => Millicores
  readonly start: (groups: readonly ArmGroup[]) => Promise<Running> | Running
}

/** CPU that is not sold. */
export const reserve = millicores(100)

const p99 = ({ p99 }: Past): Millicores => p99
/** The same law for every group. */
const by =
  <State>(law: Law<State>): Arm['start'] =>
  (groups) =>
    runLaws(groups, ({ quota }, at) => followLaw(law, { quota, at }))

const rival = { isOurs: false, firstQuota: p99 }

export const ours: Arm = {
  name: 'MBCAS',
  isOurs: true,
  firstQuota: p99,
  start: async (groups) => startOurs(groups, { reserve, isCostMode: false }),
}

/** In the order of the tables. */
export const arms: readonly Arm[] = [
  {
    ...rival,
    name: 'static',
    start: by(fixed),
  },
  {
    ...rival,
    name: 'VPA',
    firstQuota: ({ history }) => recommend(history).target,
    start: (groups) =>
      runLaws(groups, ({ quota, past }, at) => followLaw(vpa(past.history), { quota, at })),
  },
  {
    ...rival,
    name: 'Koordinator',
    firstQuota: ({ median }) => median,
    start: by(koordinator()),
  },
  ...captainTargets.map(captain).map((law): Arm => ({
    name: law.name,
    isOurs: false,
    firstQuota: p99,
    start: (groups) => runLaws(groups, ({ quota }, at) => followLaw(law, { quota, at })),
  })),
  ours,
  {
    ...ours,
    name: 'MBCAS cost',
    start: async (groups) => startOurs(groups, { reserve, isCostMode: true }),
  },
]

/** What the kernel can do when nobody limits anything: for comparison, run only when asked for. */
export const unlimited: Arm = {
  ...rival,
  name: 'no limit',
  start(groups) {
    const places = groups.map(({ path }) => ({ place: { path }, quotaMicros: null }))
    const { refused } = openCgroupWriter().write(places)
    if (refused.length > 0) throw new Error(`lifting limits: ${refused.join('; ')}`)
    return { promisedCores: () => groups.map(() => 0), stop: async () => {} }
  },
}

/**
 * Limits that a node can promise together: all are cut alike if they are more than it has.
 *
 *   wanted        capacity      given
 *   300 500 600   1900      ->  300 500 600
 *   800 400       600       ->  400 200
 */
export function fit(wanted: readonly Millicores[], capacity: Millicores): Millicores[] {
  const ratio = Math.min(1, capacity / sumOf(wanted))
  return wanted.map((quota) => millicores(Math.floor(quota * ratio)))
}
