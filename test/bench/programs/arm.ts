/** Ways to let services and batch work share a machine. Requests are all that each of them knows. */
import { availableParallelism } from 'node:os'

import { startHostAgent } from '../host-agent.ts'
import { longPeriodMicros } from '../kernel/frozen.ts'
import { type ArmGroup, setGroup, setIdle, weighByHand, weighByRequest } from './group.ts'
import { hostConfigOf } from './host-config.ts'
import { startSuppressing } from './suppress.ts'

export type Running = { readonly stop: () => Promise<void> }

export type Arm = {
  readonly name: string
  /** Without it services run alone. */
  readonly hasBatch: boolean
  /** When a group is made, before anything runs in it. */
  readonly set: (group: ArmGroup) => void
  /** What goes on while they run. */
  readonly start?: (groups: readonly ArmGroup[], agentGroup: string) => Promise<Running> | Running
}

const cpus = availableParallelism()

/** In the order of the tables. */
export const arms: readonly Arm[] = [
  { name: 'alone', hasBatch: false, set: weighByRequest },
  { name: 'no limits', hasBatch: true, set: weighByRequest },
  {
    name: 'static-burst',
    hasBatch: true,
    set(group) {
      weighByRequest(group)
      const quotaCores = group.request / 1000
      setGroup({ path: group.path, quotaCores, periodMicros: longPeriodMicros, hasBurst: true })
    },
  },
  {
    name: 'by hand',
    hasBatch: true,
    set: weighByHand,
  },
  {
    name: 'cpu.idle',
    hasBatch: true,
    set(group) {
      weighByRequest(group)
      if (group.isBatch) setIdle(group.path)
    },
  },
  {
    name: 'suppress',
    hasBatch: true,
    set(group) {
      if (group.isBatch) setGroup({ path: group.path, shares: 2 })
      else weighByRequest(group)
    },
    start: (groups) =>
      startSuppressing({
        services: groups.filter(({ isBatch }) => !isBatch).map(({ path }) => path),
        batch: groups.find(({ isBatch }) => isBatch)?.path ?? '',
        cores: cpus,
      }),
  },
  {
    name: 'MBCAS',
    hasBatch: true,
    set: weighByRequest,
    start: async (groups, agentGroup) => startHostAgent(hostConfigOf(groups, cpus), agentGroup),
  },
  {
    name: 'MBCAS, urgent',
    hasBatch: true,
    set: weighByRequest,
    start: async (groups, agentGroup) => {
      const told = groups.map(({ path, request, isBatch }) => ({
        path,
        request,
        isUrgent: !isBatch,
      }))
      return startHostAgent(hostConfigOf(told, cpus), agentGroup)
    },
  },
]
