/**
 * The whole life of groups that a host agent manages, over random sequences: it starts, writes, ends in
 * order or in the middle of anything, and others change, rename, remove and make groups meanwhile.
 *
 * The only law: what the agent found, or what somebody set since, is there whenever an agent has ended in
 * order or has just started. A quota and its period are one thing: whoever sets one of them makes a pair
 * of it and of the other that stands there. A burst above the quota that it ends with is held to it.
 */
import assert from 'node:assert/strict'

import fc from 'fast-check'

import type { Setting } from '../../src/core/cgroup/plan-writes.ts'
import { createWriting, type Groups } from '../../src/core/cgroup/write-changes.ts'
import type { CgroupPlace, CgroupWriter, CpuSettings } from '../../src/ports/cgroup.ts'
import { keepInMemory } from '../../src/sim/kept-in-memory.ts'
import { type AnyMachine, startHost, thisBoot } from '../host-machine.ts'

export type LifeGround = {
  /** With a writer that writes through `groups`. */
  readonly machine: Omit<AnyMachine, 'writer'>
  readonly groups: Groups<CgroupPlace>
  readonly writer: CgroupWriter
  /** The two that are managed, in which nobody runs. */
  readonly paths: readonly [string, string]
  readonly make: (path: string) => void
  readonly remove: (path: string) => void
  /** Undefined on a kernel that cannot. */
  readonly rename?: (from: string, to: string) => void
  /** As a person would, past the code under test; false if the kernel refuses. */
  readonly set: (path: string, setting: Setting, to: number | null) => boolean
}

type Act =
  | { readonly does: 'start' | 'stop' | 'kill' }
  /** So many turns of the agent. */
  | { readonly does: 'turn'; readonly turns: number }
  | { readonly does: 'write'; readonly who: number; readonly change: Partial<CpuSettings> }
  /** The next agent to write ends before its nth write, to the kernel or to its state. */
  | { readonly does: 'doom'; readonly writes: number }
  | { readonly does: 'set'; readonly who: number; readonly setting: Setting; readonly to: number }
  | { readonly does: 'unlimit' | 'rename' | 'remake'; readonly who: number }

const who = fc.nat(1)
const settings = fc.constantFrom<Setting>('quotaMicros', 'periodMicros', 'burstMicros', 'shares')
const quota = fc.constantFrom(null, 10_000, 100_000, 150_000)
const change = fc.record(
  {
    quotaMicros: quota,
    periodMicros: fc.constantFrom(50_000, 100_000, 1_000_000),
    burstMicros: fc.constantFrom(0, 10_000, 100_000),
    shares: fc.constantFrom(2, 1024, 2048),
  },
  { requiredKeys: [] },
)

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('start', 'stop', 'kill') }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('turn'), turns: fc.integer({ min: 1, max: 12 }) }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('write'), who, change }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('doom'), writes: fc.nat(12) }) },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('set'), who, setting: settings, to: fc.nat(3) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constantFrom('unlimit', 'rename', 'remake'), who }),
  },
)

/** Throws, with the seed and the shortest sequence, where the law is broken. */
export function assertLaw(ground: LifeGround, numRuns: number): void {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40, size: 'max' }), (acts) => {
      const life = startLife(ground)
      try {
        acts.forEach(life.play)
        life.end()
      } finally {
        life.clear()
      }
    }),
    { numRuns, verbose: 1 },
  )
}

class Doomed extends Error {}

export function startLife(ground: LifeGround) {
  const { paths, groups } = ground
  const keeper = keepInMemory()
  /** By identity: what should be there in the end. */
  const law = new Map<string, CpuSettings>()
  /** Where groups are that were renamed. */
  const elsewhere: string[] = []
  const [high, low] = [100_000, 20_000]
  /** So that nobody sets by chance what the agent set. */
  let odd = 1
  let untilDoom = Infinity
  let agents = 0
  let host: ReturnType<typeof startHost> | undefined

  const effect = <T>(work: () => T): T => {
    if (untilDoom <= 0) throw new Doomed('killed')
    untilDoom -= 1
    return work()
  }
  const mortal: Groups<CgroupPlace> = {
    ...groups,
    apply: (step) => effect(() => groups.apply(step)),
  }
  const write = createWriting(mortal)
  const writer: CgroupWriter = { ...ground.writer, write }
  const kept = {
    ...keeper,
    save: (document: unknown) => effect(() => keeper.save(document)),
    remove: () => effect(() => keeper.remove()),
  }

  const at = (path: string) => groups.locate({ path })
  const identified = (path: string) => {
    const found = at(path)
    assert.ok(found !== undefined, `${path} is there`)
    return found
  }

  const check = (when: string): void => {
    for (const path of [...paths, ...elsewhere]) {
      const found = at(path)
      if (found === undefined) continue
      const meant = law.get(found.id)
      assert.ok(meant !== undefined, `${path} is known`)
      const { burstMicros = 0, quotaMicros } = meant
      const held = { ...meant, burstMicros: Math.min(burstMicros, quotaMicros ?? Infinity) }
      law.set(found.id, held)
      assert.deepEqual(found.now, held, `${path} ${when}`)
    }
  }

  const make = (path: string): void => {
    ground.make(path)
    odd += 2
    for (const [setting, to] of [
      ['quotaMicros', odd % 3 === 0 ? null : high],
      ['burstMicros', odd % 5 === 0 ? low : 0],
      ['shares', odd % 7 === 0 ? 512 : 1024],
    ] as const) {
      assert.ok(ground.set(path, setting, to))
    }
    const { id, now } = identified(path)
    law.set(id, now)
  }

  /** Whoever ends in the middle of something leaves it as it is. */
  const mortally = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      if (!(error instanceof Doomed)) throw error
    }
    if (untilDoom > 0) return
    host = undefined
    untilDoom = Infinity
  }

  const start = (): void => {
    if (host !== undefined) return
    agents += 1
    const pid = agents
    const machine = {
      ...thisBoot,
      self: { pid, startTicks: pid },
      startTicksOf: () => undefined,
    }
    // Every other agent shares by quotas; the others hold quotas to a ceiling.
    const config = {
      enforcement: pid % 2 === 0 ? 'strict' : 'elastic',
      groups: paths.map((path) => ({ path, floor: '50m', ceiling: '700m', weight: 2 })),
    }
    mortally(() => {
      host = startHost({ ...ground.machine, writer }, config, { keeper: kept, machine })
      check('after a start')
    })
  }

  const stop = (): void => {
    const running = host
    if (running === undefined) return
    mortally(() => {
      assert.ok(running.journal.restore(), JSON.stringify(running.told.slice(-5)))
      host = undefined
      check('after an end in order')
    })
  }

  /** What stands there afterwards is meant, as a pair if it is a quota or a period. */
  const set = (path: string, setting: Setting, to: number | null): boolean => {
    const before = at(path)
    if (before === undefined || before.now[setting] === to) return false
    if (!ground.set(path, setting, to)) return false
    const { id, now } = identified(path)
    const { quotaMicros, periodMicros } = now
    const pair = setting === 'quotaMicros' || setting === 'periodMicros'
    const meant = pair ? { quotaMicros, periodMicros } : { [setting]: now[setting] }
    law.set(id, { ...now, ...law.get(id), ...meant })
    return true
  }

  /** In a period of its own: no limit in the agent's is what the agent itself may have set. */
  const unlimit = (path: string): void => {
    if (set(path, 'periodMicros', 100_000 + odd)) set(path, 'quotaMicros', null)
  }

  const bases = {
    quotaMicros: [5000, 60_000, 100_000, 400_000],
    periodMicros: [20_000, 50_000, 100_000, 400_000],
    burstMicros: [1000, 5000, 20_000, 100_000],
    shares: [100, 1024, 2048, 4096],
  }

  const play = (one: Act): void => {
    const path = 'who' in one ? (paths[one.who] ?? paths[0]) : ''
    odd += 2
    if (one.does === 'start') start()
    else if (one.does === 'stop') stop()
    else if (one.does === 'kill') host = undefined
    else if (one.does === 'doom') untilDoom = one.writes
    else if (one.does === 'turn') mortally(() => host?.run(one.turns / 4))
    else if (one.does === 'write') {
      mortally(() => void host?.journal.write([{ place: { path }, ...one.change }]))
    } else if (one.does === 'set') {
      set(
        path,
        one.setting,
        (bases[one.setting][one.to] ?? 0) + odd * (one.setting === 'shares' ? 64 : 1),
      )
    } else if (one.does === 'unlimit') unlimit(path)
    else if (at(path) === undefined) make(path)
    else if (one.does === 'rename') {
      if (ground.rename === undefined) return
      const to = `${path}-${odd}`
      ground.rename(path, to)
      elsewhere.push(to)
    } else {
      ground.remove(path)
      if (odd % 4 === 1) make(path)
    }
  }

  paths.forEach(make)
  return {
    play,
    /** As an operator would leave it: an agent that ends in order, after one that did not. */
    end: (): void => {
      untilDoom = Infinity
      start()
      stop()
    },
    clear: (): void => {
      for (const path of [...paths, ...elsewhere]) if (at(path) !== undefined) ground.remove(path)
    },
  }
}
