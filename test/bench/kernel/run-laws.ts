/** Laws of others at work on groups of the kernel, each group with a state of its own. */
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

import { openCgroups } from '../../../src/adapters/cgroup/reader.ts'
import { openCgroupWriter } from '../../../src/adapters/cgroup/writer.ts'
import type { CpuReading } from '../../../src/core/demand/reading.ts'
import type { Law, Sample } from '../../../src/core/rivals/law.ts'
import { type Millicores, type Millis, millis } from '../../../src/core/units.ts'
import { readMachine } from '../machine-use.ts'
import type { ArmGroup } from '../programs/group.ts'
import type { Running } from './arm.ts'

/** A law with its state. */
export type Follower = {
  readonly every: Millis
  readonly burstRatio: number
  readonly decide: (sample: Sample) => { readonly quota: Millicores }
}

export function followLaw<State>(
  law: Law<State>,
  { quota, at }: { readonly quota: Millicores; readonly at: Millis },
): Follower {
  let state = law.start(quota, at)
  return {
    every: law.every,
    burstRatio: law.burstRatio,
    decide(sample) {
      const decision = law.decide(state, sample)
      ;({ state } = decision)
      return decision
    },
  }
}

const cpus = availableParallelism()

/** The quota starts at the request. */
type Member = ArmGroup & { readonly follower: Follower; quota: Millicores }

export function runLaws(
  groups: readonly ArmGroup[],
  follow: (group: ArmGroup, at: Millis) => Follower,
): Running {
  const reader = openCgroups()
  const writer = openCgroupWriter({ onWrite: reader.stale })
  const members = groups.map((group): Member => {
    const follower = follow(group, nowMillis())
    return { ...group, follower, quota: group.request }
  })
  const every = members[0]?.follower.every ?? millis(1000)
  const stopped = new AbortController()

  const readAll = () => ({
    machine: readMachine(),
    groups: members.map(({ path }) => {
      const reading = reader.read({ path })
      if (reading === undefined) throw new Error(`reading group ${path}: it is gone`)
      return reading
    }),
  })
  type Readings = ReturnType<typeof readAll>

  const write = ({ path, quota, follower }: Member, periodMicros: number): void => {
    const quotaMicros = Math.min((quota * periodMicros) / 1000, cpus * periodMicros)
    const burstMicros = Math.floor(quotaMicros * follower.burstRatio)
    const { refused } = writer.write([{ place: { path }, quotaMicros, burstMicros }])
    if (refused.length > 0) throw new Error(`setting group ${path}: ${refused.join('; ')}`)
  }

  const decide = (before: Readings, now: Readings): void => {
    const busyMicros = now.machine.busyMicros - before.machine.busyMicros
    members.forEach((member, i) => {
      const [first, last] = [before.groups[i], now.groups[i]]
      if (first === undefined || last === undefined) return
      const sharePoolRatio = busyMicros / ((last.atMicros - first.atMicros) * cpus)
      const { quota } = member.follower.decide({
        ...sampleOf(first, last),
        sharePoolRatio,
      })
      if (quota === member.quota) return
      member.quota = quota
      write(member, last.periodMicros)
    })
  }

  const run = async (): Promise<void> => {
    let before = readAll()
    before.groups.forEach(({ periodMicros }, i) => {
      const member = members[i]
      if (member !== undefined) write(member, periodMicros)
    })
    for (let due = performance.now() + every; ; due += every) {
      await sleep(due - performance.now(), undefined, { signal: stopped.signal })
      const now = readAll()
      decide(before, now)
      before = now
    }
  }

  const ended = run().catch((error: unknown) => {
    if (!stopped.signal.aborted) throw error
  })
  ended.catch(() => {}) // told when it is stopped
  return {
    async stop() {
      stopped.abort()
      await ended.finally(reader.close)
    },
  }
}

const nowMillis = (): Millis => millis(Math.round(performance.now()))

function sampleOf(first: CpuReading, last: CpuReading): Sample {
  const micros = last.atMicros - first.atMicros
  return {
    at: millis(Math.round(last.atMicros / 1000)),
    seconds: micros / 1e6,
    usageCores: (last.usageMicros - first.usageMicros) / micros,
    throttledPeriods: last.throttledPeriods - first.throttledPeriods,
  }
}
