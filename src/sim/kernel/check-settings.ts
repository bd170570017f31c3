/** What a kernel answers with EINVAL (tg_set_cfs_bandwidth and __cfs_schedulable in kernel/sched). */
import { InvalidInput } from '../../core/errors.ts'
import type { CpuSettings } from './kernel.ts'

type Around = {
  /** Of the group above, if there is one. */
  readonly above: CpuSettings | undefined
  readonly below: readonly CpuSettings[]
}

/** With the rule of cgroup v1, the stricter: no quota above that of the group above. */
export function checkSettings(name: string, cpu: CpuSettings, { above, below }: Around): void {
  const { shares, quotaMicros, periodMicros, burstMicros } = cpu
  const refuse = (what: string, got: number): never => {
    throw new InvalidInput(`setting CPU of ${name}: expected ${what}, got ${got}`)
  }
  if (shares < 2) refuse('shares from 2', shares)
  if (periodMicros < 1000 || periodMicros > 1_000_000)
    refuse('a period of 1 ms to 1 s', periodMicros)
  if (quotaMicros === null) return
  if (quotaMicros < 1000) refuse('a quota of at least 1 ms', quotaMicros)
  if (burstMicros > quotaMicros) refuse('a burst of at most the quota', burstMicros)
  const ratio = ratioOf(cpu)
  if (above !== undefined && ratio > ratioOf(above))
    refuse(`a quota of at most ${above.quotaMicros}, that of the group above`, quotaMicros)
  const most = Math.max(...below.map((one) => (one.quotaMicros === null ? 0 : ratioOf(one))))
  if (ratio < most) refuse('a quota of at least those of the groups below', quotaMicros)
}

/** In CPUs. */
const ratioOf = ({ quotaMicros, periodMicros }: CpuSettings): number =>
  quotaMicros === null ? Infinity : quotaMicros / periodMicros
