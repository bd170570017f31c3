import type { Background } from '../../background.ts'
import { longPeriodMicros } from '../kernel/frozen.ts'
import { moveInto } from '../programs/enter-group.ts'
import { setGroup } from '../programs/group.ts'
import type { Arm, Running } from './arm.ts'
import { autoscaler } from './autoscaler.ts'
import { agentConfig } from './frozen.ts'

export const armNames = {
  static: 'static limits',
  unlimited: 'no limits',
  autoscaler: 'VPA',
  ours: 'MBCAS',
} as const

const ours: Arm = {
  name: armNames.ours,
  hasLimits: true,
  async start({ stage, group, loopSeconds }): Promise<Running> {
    const processes: Background[] = []
    const stop = async () => void (await Promise.all(processes.map(async (one) => one.stop())))
    try {
      processes.push(await stage.startController())
      processes.push(await stage.startAgent({ node: 0, config: agentConfig(loopSeconds) }))
      for (const { pid } of processes) moveInto(group, pid)
    } catch (error) {
      await stop()
      throw error
    }
    return { stop }
  },
}

/** The same limits over a period ten times as long, with what was saved in one for the next. */
const staticBurst: Arm = {
  name: 'static-burst',
  hasLimits: true,
  start: async () => ({
    attach(pods) {
      for (const { limit, groups } of pods) {
        const wanted = { quotaCores: limit / 1000, periodMicros: longPeriodMicros, hasBurst: true }
        // No child may have more than its parent, not even between two writes.
        setGroup({ path: groups.container, isUnlimited: true })
        setGroup({ path: groups.pod, isUnlimited: true })
        setGroup({ path: groups.pod, ...wanted })
        setGroup({ path: groups.container, ...wanted })
      }
    },
    stop: async () => {},
  }),
}

export const arms: readonly Arm[] = [
  { name: armNames.static, hasLimits: true },
  { name: armNames.unlimited, hasLimits: false },
  autoscaler(armNames.autoscaler),
  ours,
]

/** Run only when asked for. */
export const moreArms: readonly Arm[] = [
  staticBurst,
  autoscaler('VPA, requests only', 'RequestsOnly'),
]
