/** Ways to let groups share a machine. Requests are all that each of them knows; by hand, who gives way. */
import { availableParallelism } from 'node:os'

import { captain, captainTargets as allTargets } from '../../../src/core/rivals/captain.ts'
import { koordinator } from '../../../src/core/rivals/koordinator.ts'
import type { Law } from '../../../src/core/rivals/law.ts'
import { startHostAgent } from '../host-agent.ts'
import { type ArmGroup, setGroup, setIdle, weighByHand, weighByRequest } from '../programs/group.ts'
import { hostConfigOf } from '../programs/host-config.ts'
import { captainTargets, longPeriodMicros } from './frozen.ts'
import { followLaw, runLaws } from './run-laws.ts'

/** An arm at work. */
export type Running = {
  /** Throws what went wrong, if anything did. */
  readonly stop: () => Promise<void>
}

export type Arm = {
  readonly name: string
  /** Without hogs, services run alone. */
  readonly hasHogs: boolean
  /** Before anything is asked of a group. */
  readonly set: (group: ArmGroup) => void
  /** What goes on while they run. */
  readonly start?: (groups: readonly ArmGroup[], agentGroup: string) => Promise<Running> | Running
}

export const armNames = {
  ours: 'MBCAS',
  alone: 'alone',
  byHand: 'by hand',
} as const

const cpus = availableParallelism()
const usual = { hasHogs: true, set: weighByRequest }

/** The same law for every group, from a quota of its request. */
const by = <State>(law: Law<State>, name = law.name): Arm => ({
  ...usual,
  name,
  start: (groups) => runLaws(groups, ({ request }, at) => followLaw(law, { quota: request, at })),
})

const limitedTo = (name: string, limit: Omit<Parameters<typeof setGroup>[0], 'path'>): Arm => ({
  ...usual,
  name,
  set(group) {
    weighByRequest(group)
    setGroup({ path: group.path, quotaCores: group.request / 1000, ...limit })
  },
})

/** In the order of the tables. */
export const arms: readonly Arm[] = [
  { ...usual, name: armNames.alone, hasHogs: false },
  { ...usual, name: 'no limits' },
  limitedTo('static', {}),
  limitedTo('static-burst', { periodMicros: longPeriodMicros, hasBurst: true }),
  { ...usual, name: armNames.byHand, set: weighByHand },
  by(koordinator(), 'Koordinator burst'),
  {
    ...usual,
    name: 'cpu.idle',
    set(group) {
      weighByRequest(group)
      if (group.isBatch) setIdle(group.path)
    },
  },
  ...captainTargets.map((target) => by(captain(target))),
  {
    ...usual,
    name: armNames.ours,
    start: async (groups, agentGroup) => startHostAgent(hostConfigOf(groups, cpus), agentGroup),
  },
]

/** Run only when asked for. */
export const moreArms: readonly Arm[] = allTargets
  .filter((target) => !captainTargets.some((usual) => usual === target))
  .map((target) => by(captain(target)))
