/** How long quotas of a node are together above what is sold of it, looked at once a simulated second. */
import type { Scene } from '../../../src/apps/simulate/play/main.ts'
import type { StageNode } from '../../../src/apps/simulate/stage.ts'

type Watched = {
  /** Simulated milliseconds that do not count. */
  readonly warmUp: number
  readonly soldRatio: number
}

export type QuotaWatch = {
  readonly watch: (scene: Pick<Scene, 'stage' | 'signal'>) => Promise<void>
  /** Of the seconds of all nodes. */
  readonly oversoldRatio: () => number
}

/** What rounding to whole millicores makes of many containers. */
const ROUNDING_CORES = 0.02

export function watchQuotas({ warmUp, soldRatio }: Watched): QuotaWatch {
  const seconds = { all: 0, oversold: 0 }
  return {
    watch: async ({ stage, signal }) => {
      const { clock, nodes, roster } = stage
      const quotaOn = ({ name, cgroups }: StageNode): number =>
        roster
          .on(name)
          .flatMap(({ containers }) => containers)
          .reduce((sum, { place }) => {
            const { quotaMicros = null, periodMicros = 1 } = (place && cgroups.read(place)) ?? {}
            return sum + (quotaMicros ?? 0) / periodMicros
          }, 0)
      while (!signal.aborted) {
        await clock.sleep(1000, signal)
        if (clock.now() < warmUp) continue
        for (const node of nodes) {
          seconds.all += 1
          if (quotaOn(node) > soldRatio * node.cpus + ROUNDING_CORES) seconds.oversold += 1
        }
      }
    },
    oversoldRatio: () => seconds.oversold / Math.max(1, seconds.all),
  }
}
