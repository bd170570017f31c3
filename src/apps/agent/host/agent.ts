/** Manages the groups of one machine: reads, decides and writes, at every sample. */
import type { CpuReading } from '../../../core/demand/reading.ts'
import type { Millis } from '../../../core/units.ts'
import type { CgroupPlace, CgroupReader, CgroupWriter } from '../../../ports/cgroup.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Cpusets } from '../../../ports/cpuset.ts'
import type { Log } from '../../../ports/log.ts'
import { createNews } from '../news.ts'
import { changesOf } from './changes.ts'
import { decide, type HostRules, type Memory, nothingKnown } from './decide.ts'
import type { GroupChange, Journal } from './journal.ts'
import type { HostMetrics } from './metrics.ts'
import { createPinning } from './pinning.ts'
import { tellTurn } from './tell.ts'

export type HostNeeds = {
  readonly rules: HostRules & KernelRules
  readonly cgroups: CgroupReader<CgroupPlace>
  readonly writer: CgroupWriter
  readonly cpusets: Cpusets
  readonly journal: Journal
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly metrics: HostMetrics
}

export type KernelRules = {
  readonly usesBurst: boolean
  /** Over which a quota may be used up: how long a surge is let through that the average allows. */
  readonly periodMillis: Millis
}

export type HostAgent = {
  /** Reads every group, and moves those that should. */
  readonly turn: () => void
}

export function createHostAgent(needs: HostNeeds): HostAgent {
  const { rules, cgroups, writer, journal, clock, log, metrics } = needs
  const pinning = createPinning({ ...needs, ...rules })
  const news = createNews()
  /** The quota that should stand in each group that is managed, by path. */
  const expected = new Map<string, number | null>()
  /** Which group each path stood for when it was last read. */
  const identities = new Map<string, string>()
  /** Groups whose kernel refuses another period, by path: for one, a group below them has a quota. */
  const ownPeriods = new Map<string, number>()
  let memory: Memory = nothingKnown

  const tell = (path: string, message: string, fields: Readonly<Record<string, unknown>>): void => {
    if (news.isNew(path, message)) log('warn', message, { group: path, ...fields })
  }

  /** It is gone, was renamed, or another has its name: what is known of it counts no longer. */
  const leave = (path: string): void => {
    identities.delete(path)
    expected.delete(path)
    ownPeriods.delete(path)
    // Its files may still be open: those of a renamed group are read as before.
    cgroups.forget({ path })
    journal.forget(path)
  }

  /** Undefined when the group is not there, or cannot be managed. */
  const read = (path: string): CpuReading | undefined => {
    const place = { path }
    const [known, identity] = [identities.get(path), writer.identityOf(place)]
    const isSame = identity !== undefined && (known ?? identity) === identity
    const reading = isSame ? cgroups.read(place) : undefined
    if (reading === undefined || identity === undefined) {
      if (known !== undefined) leave(path)
      const reason = cgroups.whyNone?.(place)
      tell(path, 'group not there', { reason })
      return undefined
    }
    identities.set(path, identity)
    const from = expected.get(path)
    const reason = from === undefined ? writer.whyReadOnly(place) : undefined
    if (reason !== undefined) {
      tell(path, 'group cannot be managed', { reason })
      return undefined
    }
    // What somebody else has set is where we go on from.
    const { quotaMicros: to } = reading
    if (from !== undefined && from !== to) {
      expected.set(path, to)
      tell(path, 'quota set by someone else', { from, to })
    }
    return reading
  }

  const readAll = (): Map<string, CpuReading> => {
    const readings = new Map<string, CpuReading>()
    for (const { path } of rules.groups) {
      let reading: CpuReading | undefined
      try {
        reading = read(path)
      } catch (error) {
        tell(path, 'group cannot be read', { error })
        // The last one again gives a sample that does not count.
        reading = memory.groups.get(path)?.tracked.last
      }
      if (reading !== undefined) readings.set(path, reading)
    }
    return readings
  }

  /** All at once; where something is refused one by one, so that no group stands in another's way. */
  const write = (changes: readonly GroupChange[]): void => {
    const all = journal.write(changes)
    metrics.wrote('done', all.wrote.length)
    const isRefused = all.refused.length > 0
    for (const change of changes) {
      const { place, quotaMicros = null } = change
      const { wrote, refused } = isRefused ? journal.write([change]) : { wrote: [], refused: [] }
      metrics.wrote('done', wrote.length)
      metrics.wrote('refused', refused.length)
      if (refused.length > 0) {
        tell(place.path, 'kernel refused', { refused })
        const period = writer.settings(place)?.periodMicros
        if (period !== undefined && period !== change.periodMicros)
          ownPeriods.set(place.path, period)
      }
      const stands = refused.length === 0 ? quotaMicros : writer.settings(place)?.quotaMicros
      if (stands !== undefined) expected.set(place.path, stands)
    }
  }

  const turn = (): void => {
    const readings = readAll()
    pinning.turn((path) => readings.has(path))
    const before = memory
    const { memory: after, moves } = decide(before, { at: clock.now(), readings }, rules)
    memory = after
    const isNew = (path: string): boolean => !expected.has(path)
    for (const path of readings.keys()) {
      if (isNew(path) && news.isNew(path, 'managed')) log('info', 'group managed', { group: path })
    }
    const periodOf = (path: string): number => ownPeriods.get(path) ?? rules.periodMillis * 1000
    const changes = changesOf({ ...rules, ...pinning, readings, moves, isNew, periodOf })
    if (changes.length > 0) write(changes)
    for (const { path } of rules.groups) metrics.sampled(path, after.groups.get(path))
    if (after.market !== undefined) metrics.traded(after.market)
    tellTurn(log, { before, after, moves })
  }

  return { turn }
}
