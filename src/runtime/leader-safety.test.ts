/**
 * Never two leaders at once, and never none for long: three processes in one simulated world whose
 * network loses, slows and stalls requests and answers, and whose processes are paused, killed and
 * stopped. A paused process does nothing, while its clock runs on and requests that it sent arrive.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { manualClock, type ManualClock } from '../../test/manual-clock.ts'
import { memoryKube, type MemoryKube } from '../../test/memory-kube.ts'
import { seededRandom, type Random } from '../core/random.ts'
import type { Clock } from '../ports/clock.ts'
import type { Kube } from '../ports/kube.ts'
import { retryJitter, runAsLeader, usualTiming, type LeaderTiming } from './leader.ts'

const count = 3
const latency = 40
/** Nothing but the drift of clocks, here none, asks for a margin. */
const tight: LeaderTiming = { leaseDuration: 11_000, renewDeadline: 10_900, retryPeriod: 2000 }

const troubles = [
  'lose requests',
  'lose answers',
  'stall requests',
  'stall answers',
  'slow requests',
  'slow answers',
  'pause',
  'kill',
  'stop',
] as const
type Trouble = (typeof troubles)[number]
const fault = fc.record({
  after: fc.nat(12_000),
  process: fc.nat(count - 1),
  lasts: fc.nat(30_000),
  what: fc.constantFrom(...troubles),
})

type World = {
  readonly clock: ManualClock
  readonly server: MemoryKube
  readonly random: Random
  readonly timing: LeaderTiming
}
type Process = ReturnType<typeof start>

function start(world: World, number: number, onLead: () => void) {
  const { clock, server, random, timing } = world
  const active = new Map<Trouble, number>()
  const has = (what: Trouble) => (active.get(what) ?? 0) > 0
  const abort = new AbortController()
  const state = { leading: false, killed: false, ended: false }
  let resumed: (() => void)[] = []

  /** The process goes on here only when it runs. */
  const running = async () => {
    while (has('pause') || state.killed) {
      await new Promise<void>((resolve) => resumed.push(resolve))
    }
  }
  const own: Clock = {
    ...clock,
    sleep: async (duration, signal) => {
      await clock.sleep(duration, signal)
      await running()
    },
  }
  const travel = async (direction: 'requests' | 'answers') => {
    await clock.sleep(random() * latency)
    if (has(`slow ${direction}`)) await clock.sleep(random() * timing.renewDeadline * 0.6)
    if (has(`lose ${direction}`)) await new Promise(() => undefined)
    while (has(`stall ${direction}`)) await clock.sleep(random() * 3000)
  }
  const kube = server.client({
    before: async () => travel('requests'),
    after: async () => {
      await travel('answers')
      await running()
    },
  })

  void runAsLeader({
    kube: random() < 0.5 ? kube : deaf(kube),
    clock: own,
    log: () => undefined,
    lease: { namespace: 'mbcas-system', name: 'controller' },
    identity: `${number}`,
    timing,
    random,
    signal: abort.signal,
    lead: async (signal) => {
      state.leading = true
      onLead()
      signal.addEventListener('abort', () => (state.leading = false))
      await own.sleep(random() < 0.2 ? random() * 60_000 : 1e9, signal)
      state.leading = false
      await own.sleep(random() * 3000)
    },
  })
    .catch(() => undefined)
    .finally(() => (state.ended = true))

  return {
    state,
    isLeading: () => state.leading && !state.killed && !has('pause'),
    kill: () => (state.killed = true),
    stop: () => abort.abort(),
    begin: (what: Trouble) => active.set(what, (active.get(what) ?? 0) + 1),
    end: (what: Trouble) => {
      active.set(what, (active.get(what) ?? 0) - 1)
      const waiting = resumed
      resumed = []
      for (const resume of waiting) resume()
    },
  }
}

/** A client that does not stop waiting when its signal is aborted. */
const deaf = (kube: Kube): Kube => ({
  ...kube,
  get: async (resource, at) => kube.get(resource, at),
  create: async (resource, object) => kube.create(resource, object),
  update: async (resource, object) => kube.update(resource, object),
})

/** Processes that end are started again, as Kubernetes does. */
function simulate(seed: number, timing: LeaderTiming) {
  const random = seededRandom(seed)
  const clock = manualClock()
  const world: World = { clock, server: memoryKube(), random, timing }
  const processes: Process[] = []
  let started = 0
  let mostLeaders = 0
  const leaders = () => processes.filter((process) => process.isLeading()).length
  const countLeaders = () => (mostLeaders = Math.max(mostLeaders, leaders()))
  const launch = (slot: number) => {
    started += 1
    processes[slot] = start(world, started, countLeaders)
  }
  for (let slot = 0; slot < count; slot += 1) launch(slot)
  const advance = async (duration: number) => {
    await clock.advance(duration)
    countLeaders()
    assert.ok(mostLeaders <= 1, 'two lead')
    for (const [slot, { state }] of processes.entries()) if (state.ended) launch(slot)
  }
  return { clock, processes, leaders, launch, advance }
}

void describe('runtime/leader: safety', () => {
  const runs = 40
  const faults = fc.array(fault, { minLength: 5, maxLength: 25 })

  void test('whatever the network and the processes do, two never lead at once, and one does again', async () => {
    let terms = 0
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.constantFrom(usualTiming, tight),
        faults,
        async (seed, timing, schedule) => {
          const { clock, processes, leaders, launch, advance } = simulate(seed, timing)
          for (const { after, process: slot, lasts, what } of schedule) {
            await advance(after)
            const process = processes[slot]
            if (!process) continue
            terms += leaders()
            if (what === 'kill') {
              process.kill()
              launch(slot)
            } else if (what === 'stop') {
              process.stop()
            } else {
              const last = async () => {
                await clock.sleep(lasts)
                process.end(what)
              }
              process.begin(what)
              void last()
            }
          }
          await advance(30_000) // every fault has ended
          for (let i = 0; i < 60 && leaders() === 0; i += 1) await advance(1000)
          assert.equal(leaders(), 1)
        },
      ),
      { numRuns: runs, seed: 4, endOnFailure: true },
    )
    assert.ok(terms > runs, 'the schedules leave time to lead')
  })

  void test('a leader that dies is replaced within the lease duration and one retry', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 1000, max: 60_000 }), async (seed, at) => {
        const { processes, leaders, advance } = simulate(seed, usualTiming)
        await advance(at)
        const leader = processes.find((process) => process.isLeading())
        if (!leader) return
        leader.kill()
        const { leaseDuration, retryPeriod } = usualTiming
        const most = leaseDuration + retryPeriod * retryJitter + 6 * latency
        for (let waited = 0; leaders() === 0; waited += 20) {
          assert.ok(waited <= most, `nobody leads after ${waited} ms`)
          await advance(20)
        }
      }),
      { numRuns: 20, seed: 4 },
    )
  })
})
