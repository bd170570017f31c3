/** Manages the groups of one machine: reads, decides and writes, at every sample. */
import type { CpuReading } from '../../../core/demand/reading.ts'
import { showMillicores } from '../../../core/quantity.ts'
import type { Millicores } from '../../../core/units.ts'
import type {
  CgroupPlace,
  CgroupReader,
  CgroupWriter,
  MachineUsage,
} from '../../../ports/cgroup.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Cpusets } from '../../../ports/cpuset.ts'
import type { Log } from '../../../ports/log.ts'
import { createNews } from '../news.ts'
import { type Aim, decide, type HostRules, type Memory, nothingKnown } from './decide.ts'
import { type GroupRules, limitOf } from './group.ts'
import type { GroupChange, Journal } from './journal.ts'
import { logTurn } from './log-turn.ts'
import type { HostMetrics } from './metrics.ts'
import { createPinning } from './pinning.ts'
import { createQuotas, type QuotaRules } from './quotas.ts'
import { createWeights } from './weights.ts'

export type HostNeeds = {
  readonly rules: HostRules & QuotaRules
  readonly cgroups: CgroupReader<CgroupPlace>
  readonly writer: CgroupWriter
  readonly cpusets: Cpusets
  readonly journal: Journal
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly metrics: HostMetrics
}

export type HostAgent = {
  /** Reads every group, and writes what should be another. */
  readonly turn: () => void
}

export function createHostAgent(needs: HostNeeds): HostAgent {
  const { rules, cgroups, writer, journal, clock, log, metrics } = needs
  const pinning = createPinning({ ...needs, ...rules })
  const news = createNews()
  /** Which group each path stood for when it was last read. */
  const identities = new Map<string, string>()
  let memory: Memory = nothingKnown

  type Fields = Readonly<Record<string, unknown>>
  /** Why it is not managed, unless that was the last that was logged of it. */
  const warnMissing = (path: string, message: string, fields: Fields): void => {
    if (news.isNew(path, message)) log('warn', message, { group: path, ...fields })
  }
  /** Once for as long as the group is there. */
  const warn = (path: string, message: string, fields: Fields): void => {
    if (news.isNew(`${path} ${identities.get(path)} ${message}`, message)) {
      log('warn', message, { group: path, ...fields })
    }
  }

  const quotas = createQuotas(rules)
  const weights = createWeights({
    read: (path) => cgroups.weightOf?.({ path }) ?? writer.settings({ path })?.shares,
    onForeign: (path, { from, to, isLeft }) => {
      if (!isLeft) return warn(path, 'weight set by someone else', { from, to })
      const reason = 'someone else sets it again and again: it is left alone for a minute'
      log('warn', 'weight left alone', { group: path, weight: to, reason })
    },
  })

  /** It is gone, was renamed, or another has its name: what is known of it counts no longer. */
  const leave = (path: string): void => {
    identities.delete(path)
    quotas.forget(path)
    weights.forget(path)
    // Its files may still be open: those of a renamed group are read as before.
    cgroups.forget({ path })
    journal.forget(path)
  }

  /** A quota that somebody set is theirs to keep, also where it contradicts the configuration. */
  const checkOwnQuota = ({ path, floor, exclusive }: GroupRules, reading: CpuReading): void => {
    const quota = limitOf(reading) ?? (Infinity as Millicores)
    if (rules.isStrict || exclusive !== undefined || quota >= floor) return
    const reason = `its own quota of ${showMillicores(quota)} is kept, and holds it below its floor of ${showMillicores(floor)}`
    warn(path, 'quota below the floor', { reason })
  }

  /** Undefined when the group is not there, or cannot be managed. */
  const read = (group: GroupRules): CpuReading | undefined => {
    const { path } = group
    const place = { path }
    const [known, identity] = [identities.get(path), writer.identityOf(place)]
    const isSame = identity !== undefined && (known ?? identity) === identity
    const reading = isSame ? cgroups.read(place) : undefined
    if (reading === undefined || identity === undefined) {
      if (known !== undefined) leave(path)
      warnMissing(path, 'group not there', { reason: cgroups.whyNone?.(place) })
      return undefined
    }
    const reason = known === undefined ? writer.whyUnwritable(place) : undefined
    if (reason !== undefined) {
      warnMissing(path, 'group cannot be managed', { reason })
      return undefined
    }
    identities.set(path, identity)
    if (known === undefined && news.isNew(path, 'managed')) {
      log('info', 'group managed', { group: path })
    }
    const others = quotas.see(path, reading)
    if (others !== undefined) {
      const { from, to } = others
      warn(path, 'quota set by someone else', { from: from.quotaMicros, to: to.quotaMicros })
    }
    if (known === undefined || others !== undefined) checkOwnQuota(group, reading)
    return reading
  }

  const readAll = (): Map<string, CpuReading> => {
    const readings = new Map<string, CpuReading>()
    for (const group of rules.groups) {
      const { path } = group
      let reading: CpuReading | undefined
      try {
        reading = read(group)
      } catch (error) {
        warn(path, 'group cannot be read', { error })
        // The last one again gives a sample that does not count.
        reading = memory.groups.get(path)?.tracked.last
      }
      if (reading !== undefined) readings.set(path, reading)
    }
    return readings
  }

  const changeOf = (path: string, { shares, quota }: Aim): GroupChange[] => {
    const isOwn = memory.groups.get(path)?.rules.exclusive !== undefined
    const weight = weights.change(path, shares, clock.now())
    const limit = quotas.change(path, isOwn && pinning.isPinned(path) ? null : quota)
    if (weight === undefined && limit === undefined) return []
    return [{ place: { path }, ...limit, ...(weight !== undefined && { shares: weight }) }]
  }

  /** All at once; where something is refused one by one, so that no group stands in another's way. */
  const write = (changes: readonly GroupChange[]): void => {
    const all = journal.write(changes)
    metrics.wrote('done', all.wrote.length)
    const isRefused = all.refused.length > 0
    for (const change of changes) {
      const { place, shares } = change
      const { wrote, refused } = isRefused ? journal.write([change]) : { wrote: [], refused: [] }
      metrics.wrote('done', wrote.length)
      metrics.wrote('refused', refused.length)
      if (refused.length > 0) warn(place.path, 'kernel refused', { refused })
      if (shares !== undefined) weights.asked(place.path, shares)
      const stands = 'quotaMicros' in change ? writer.settings(place) : undefined
      if (stands !== undefined) quotas.stands(place.path, stands)
    }
  }

  const turn = (): void => {
    const readings = readAll()
    pinning.turn((path) => readings.has(path))
    const before = memory
    const { memory: after, aims } = decide(
      before,
      {
        at: clock.now(),
        readings,
        usage: cgroups.machine?.() ?? usageOf(readings),
        waitingMicros: (path) => cgroups.waiting?.({ path }),
      },
      rules,
    )
    memory = after
    const changes = [...aims].flatMap(([path, aim]) => changeOf(path, aim))
    if (changes.length > 0) write(changes)
    for (const { path } of rules.groups) {
      metrics.sampled(path, after.groups.get(path), {
        shares: weights.inForce(path),
        given: after.market?.given.get(path),
        held: after.protection.held.get(path),
      })
    }
    if (after.market !== undefined) metrics.traded(after.market)
    logTurn(log, { before, after, changes })
  }

  return { turn }
}

/** Where the kernel tells nothing of the machine, what its groups use is all that is known. */
const usageOf = (readings: ReadonlyMap<string, CpuReading>): MachineUsage => {
  const all = [...readings.values()]
  return {
    atMicros: all[0]?.atMicros ?? 0,
    usageMicros: all.reduce((sum, { usageMicros }) => sum + usageMicros, 0),
  }
}
