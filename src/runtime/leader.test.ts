import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { manualClock, settled, type ManualClock } from '../../test/manual-clock.ts'
import { memoryKube, type Hooks, type KubeRequest } from '../../test/memory-kube.ts'
import { leases, type Lease } from '../apis/lease.ts'
import {
  LeadershipLost,
  processIdentity,
  runAsLeader,
  usualTiming,
  type LeaderOptions,
} from './leader.ts'

type Spec = NonNullable<Lease['spec']>
const place = { namespace: 'mbcas-system', name: 'controller' }

function world() {
  const clock = manualClock()
  const server = memoryKube()
  const events: string[] = []
  const put = async (spec: Spec) => server.create(leases, { metadata: place, spec })
  const read = async () => (await server.get(leases, place)).spec
  const candidate = (identity: string, given: Partial<LeaderOptions> & { hooks?: Hooks } = {}) => {
    const abort = new AbortController()
    const running = runAsLeader({
      kube: server.client(given.hooks ?? {}),
      clock,
      log: () => undefined,
      lease: place,
      identity,
      random: () => 0.5,
      signal: abort.signal,
      lead: async (signal) => {
        events.push(`${identity} leads @${clock.now()}`)
        await clock.sleep(1e9, signal)
        events.push(`${identity} stops @${clock.now()}`)
      },
      ...given,
    })
    const outcome = running.then(
      () => 'ended',
      (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : 'odd'),
    )
    return { abort, running, outcome }
  }
  return { clock, server, events, put, read, candidate }
}

/** What the network does to a process from now on. */
function network() {
  const state = { fault: undefined as 'hangs' | 'refuses' | undefined }
  const before = async () => {
    if (state.fault === 'hangs') await new Promise(() => undefined)
    if (state.fault === 'refuses') throw new Error('connection refused')
  }
  return { state, hooks: { before } }
}

/** The clock of a process that can be stopped, and the wait of whatever else must not go on then. */
function pausable(clock: ManualClock) {
  const state = { stopped: false, waiting: [] as (() => void)[] }
  const awake = async () => {
    while (state.stopped) await new Promise<void>((resolve) => state.waiting.push(resolve))
  }
  const sleep = async (duration: number, signal?: AbortSignal) => {
    await clock.sleep(duration, signal)
    await awake()
  }
  const stop = () => {
    state.stopped = true
  }
  const go = () => {
    state.stopped = false
    for (const resume of state.waiting.splice(0)) resume()
  }
  return { own: { ...clock, sleep, awake }, stop, go }
}

void describe('runtime/leader', () => {
  void test('a lease that is not there is created, and renewed every retry period', async () => {
    const { clock, events, read, candidate } = world()
    candidate('a')
    await settled()
    const created = await read()
    assert.deepEqual(created, {
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:00.000000Z',
      leaseTransitions: 0,
    })
    await clock.advance(7123)
    assert.deepEqual(await read(), { ...created, renewTime: '2026-01-01T00:00:06.000000Z' })
    assert.deepEqual(events, ['a leads @0'])
  })

  each<{ name: string; spec: Spec; leadsAt: number; transitions: number }>(
    [
      {
        name: 'a lease of another is left for its duration, counted by our clock',
        spec: {
          holderIdentity: 'other',
          leaseDurationSeconds: 15,
          renewTime: '1999-01-01T00:00:00.000000Z',
          leaseTransitions: 3,
        },
        leadsAt: 15_000,
        transitions: 4,
      },
      {
        name: 'the duration is the one that its holder asked for',
        spec: { holderIdentity: 'other', leaseDurationSeconds: 40 },
        leadsAt: 40_000,
        transitions: 1,
      },
      {
        name: 'a released lease is taken at once',
        spec: { holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 1 },
        leadsAt: 0,
        transitions: 2,
      },
      {
        name: 'a lease without a spec is taken at once',
        spec: {},
        leadsAt: 0,
        transitions: 1,
      },
      {
        name: 'a lease that is ours already is taken at once, without a transition',
        spec: { holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 7 },
        leadsAt: 0,
        transitions: 7,
      },
    ],
    async ({ spec, leadsAt, transitions }) => {
      const { clock, events, put, read, candidate } = world()
      await put(spec)
      candidate('a')
      await clock.advance(60_000)
      assert.deepEqual(events, [`a leads @${leadsAt}`])
      assert.equal((await read())?.leaseTransitions, transitions)
    },
  )

  void test('a lease that changes is not taken, whatever times are written in it', async () => {
    const { clock, server, events, put, candidate } = world()
    await put({ holderIdentity: 'other', leaseDurationSeconds: 15, leaseTransitions: 0 })
    candidate('a')
    for (let i = 1; i <= 10; i += 1) {
      await clock.advance(10_000)
      const body = { spec: { renewTime: `19${i + 10}-01-01T00:00:00.000000Z` } }
      await server.patch(leases, place, { type: 'merge', body })
    }
    assert.deepEqual(events, [])
    await clock.advance(15_000 + 2400)
    assert.equal(events.length, 1)
  })

  void test('on shutdown what is led stops, the lease is renewed until it has, and is released', async () => {
    const { clock, events, read, candidate } = world()
    const { abort, outcome } = candidate('a', {
      lead: async (signal) => {
        await clock.sleep(1e9, signal)
        events.push(`a told @${clock.now()}`)
        await clock.sleep(12_000)
        events.push(`a stops @${clock.now()}`)
      },
    })
    candidate('b')
    await clock.advance(5000)
    abort.abort()
    await clock.advance(11_000)
    assert.equal((await read())?.holderIdentity, 'a')
    await clock.advance(1000)
    assert.equal(await outcome, 'ended')
    const { holderIdentity, leaseDurationSeconds } = (await read()) ?? {}
    assert.deepEqual([holderIdentity, leaseDurationSeconds], ['', 1])
    await clock.advance(2400)
    assert.deepEqual(events.slice(0, 2), ['a told @5000', 'a stops @17000'])
    assert.match(events[2] ?? '', /^b leads @1[789]\d{3}$/)
  })

  each<{ name: string; lead: LeaderOptions['lead']; outcome: string }>(
    [
      {
        name: 'work that ends releases the lease',
        lead: async () => undefined,
        outcome: 'ended',
      },
      {
        name: 'work that throws releases the lease, and the error is passed on',
        lead: async () => {
          throw new Error('out of paper')
        },
        outcome: 'Error: out of paper',
      },
      {
        name: 'work that throws before its first await is no different',
        lead: () => {
          throw new Error('out of ink')
        },
        outcome: 'Error: out of ink',
      },
    ],
    async ({ lead, outcome }) => {
      const { clock, read, candidate } = world()
      const one = candidate('a', { lead })
      await clock.advance(10)
      assert.equal(await one.outcome, outcome)
      assert.equal((await read())?.holderIdentity, '')
      assert.equal(clock.sleeping(), 0)
    },
  )

  each<{ name: string; fault: 'hangs' | 'refuses' }>(
    [
      { name: 'a leader whose renewals hang stops at the renew deadline', fault: 'hangs' },
      { name: 'a leader whose renewals fail stops at the renew deadline', fault: 'refuses' },
    ],
    async ({ fault }) => {
      const { clock, events, candidate } = world()
      const { state, hooks } = network()
      const { outcome } = candidate('a', { hooks })
      candidate('b')
      await clock.advance(4500) // the last good renewal began at 4000
      state.fault = fault
      await clock.advance(9499)
      assert.deepEqual(events, ['a leads @0'])
      await clock.advance(1)
      assert.equal(await outcome, 'LeadershipLost: losing the lease: not renewed for 10000 ms')
      await clock.advance(10_000)
      assert.equal(events[1], 'a stops @14000')
      assert.match(events[2] ?? '', /^b leads @(19|20|21)\d{3}$/)
    },
  )

  void test('renewals that fail for less than the deadline go unnoticed', async () => {
    const { clock, events, candidate } = world()
    const { state, hooks } = network()
    candidate('a', { hooks })
    candidate('b')
    for (const fault of ['hangs', 'refuses'] as const) {
      await clock.advance(6500)
      state.fault = fault
      await clock.advance(4000)
      state.fault = undefined
      await clock.advance(20_000)
    }
    assert.deepEqual(events, ['a leads @0'])
  })

  void test('a renewal whose answer was lost is not taken for that of another', async () => {
    const { clock, server, events, candidate } = world()
    let lose = false
    const after = async () => {
      if (lose) await new Promise(() => undefined)
    }
    candidate('a', { kube: server.client({ after }) })
    await clock.advance(1500)
    lose = true
    await clock.advance(1000)
    lose = false
    await clock.advance(60_000)
    assert.deepEqual(events, ['a leads @0'])
  })

  void test('the lease is released once what was led has stopped, not before', async () => {
    const { clock, read, candidate } = world()
    const log: string[] = []
    const a = candidate('a', {
      lead: async (signal) => {
        await clock.sleep(1e9, signal)
        await clock.sleep(8000) // a resize that is under way
        log.push(`stopped, held by ${(await read())?.holderIdentity}`)
      },
    })
    await clock.advance(1000)
    a.abort.abort()
    await clock.advance(9000)
    assert.equal(await a.outcome, 'ended')
    assert.deepEqual(log, ['stopped, held by a'])
    assert.equal((await read())?.holderIdentity, '')
  })

  void test('what does not stop in time keeps the lease, which expires', async () => {
    const { clock, read, candidate, events } = world()
    const a = candidate('a', { lead: async () => new Promise(() => undefined) })
    await clock.advance(1000)
    a.abort.abort()
    await clock.advance(14_000)
    assert.equal((await read())?.holderIdentity, 'a')
    await clock.advance(2000)
    assert.match(await a.outcome, /^LeadershipLost: stopping what was led: not ended after 15 s/)
    assert.equal((await read())?.holderIdentity, 'a')
    const b = candidate('b')
    await clock.advance(10_000)
    assert.deepEqual(events, [])
    await clock.advance(10_000)
    assert.equal(events.length, 1)
    b.abort.abort()
    await clock.advance(1000)
  })

  void test('a lead that fails is told to stop before the lease is released', async () => {
    const { clock, read, candidate } = world()
    const heard: string[] = []
    const a = candidate('a', {
      lead: async (signal) => {
        signal.addEventListener('abort', () => {
          void read().then((spec) => heard.push(`held by ${spec?.holderIdentity}`))
        })
        await clock.sleep(1000)
        throw new Error('a part failed')
      },
    })
    await clock.advance(3000)
    assert.equal(await a.outcome, 'Error: a part failed')
    assert.deepEqual(heard, ['held by a'])
    assert.equal((await read())?.holderIdentity, '')
  })

  void test('a leader that finds another holder stops at once', async () => {
    const { clock, server, events, candidate } = world()
    const { outcome } = candidate('a')
    await clock.advance(1000)
    const body = { spec: { holderIdentity: 'usurper' } }
    await server.patch(leases, place, { type: 'merge', body })
    await clock.advance(1000)
    assert.equal(await outcome, 'LeadershipLost: losing the lease: usurper took it')
    assert.deepEqual(events, ['a leads @0', 'a stops @2000'])
  })

  void test('a process that was stopped for long ends its lead before what is led goes on', async () => {
    const { clock, server, events, candidate } = world()
    const { own, stop, go } = pausable(clock)
    const lead = async (signal: AbortSignal) => {
      while (!signal.aborted) {
        await own.sleep(3000, signal)
        events.push(`a ${signal.aborted ? 'stops' : 'works'} @${clock.now()}`)
      }
    }
    candidate('a', { clock: own, kube: server.client({ after: own.awake }), lead })
    await clock.advance(3500)
    stop()
    await clock.advance(60_000)
    go()
    await settled()
    assert.deepEqual(events, ['a works @3000', 'a stops @63500'])
  })

  void test('a lease whose answer comes after the deadline is not led with', async () => {
    const { clock, server, events, candidate } = world()
    const { own, stop, go } = pausable(clock)
    const after = async ({ verb }: KubeRequest) => {
      if (verb === 'create') stop()
      await own.awake()
    }
    candidate('a', { clock: own, kube: server.client({ after }) })
    await clock.advance(60_000)
    go()
    await clock.advance(2400)
    assert.match(events.join(), /^a leads @6[0-2]\d{3}$/)
  })

  void test('what is led learns why it must stop', async () => {
    const { clock, candidate } = world()
    const { state, hooks } = network()
    let reason: unknown
    const lead = async (signal: AbortSignal) => {
      await clock.sleep(1e9, signal)
      reason = signal.reason
    }
    void candidate('a', { hooks, lead })
    await settled()
    state.fault = 'hangs'
    await clock.advance(10_000)
    assert.ok(reason instanceof LeadershipLost)
  })

  void test('a candidate that is stopped leaves, whether it waits or asks', async () => {
    const { clock, put, read, candidate } = world()
    await put({ holderIdentity: 'other', leaseDurationSeconds: 15 })
    const waiting = candidate('a')
    const { state, hooks } = network()
    state.fault = 'hangs'
    const asking = candidate('b', { hooks })
    await clock.advance(100)
    waiting.abort.abort()
    assert.equal(await waiting.outcome, 'ended')
    asking.abort.abort()
    await clock.advance(5000)
    assert.equal(await asking.outcome, 'ended')
    assert.equal((await read())?.holderIdentity, 'other')
    assert.equal(clock.sleeping(), 0)
  })

  void test('a lease got while shutting down is given back, and nothing is led', async () => {
    const { clock, server, events, read, candidate } = world()
    const one = candidate('a', { kube: server.client({ after: async () => clock.sleep(50) }) })
    await clock.advance(75) // the create has happened, its answer is on its way
    one.abort.abort()
    await clock.advance(200)
    assert.equal(await one.outcome, 'ended')
    assert.deepEqual(events, [])
    assert.equal((await read())?.holderIdentity, '')
  })

  void test('timing that would let two lead is refused', async () => {
    const { candidate } = world()
    const timing = { ...usualTiming, leaseDuration: 9000 }
    assert.equal(
      await candidate('a', { timing }).outcome,
      'InvalidInput: leader timing: expected leaseDuration > renewDeadline > 1.2 x retryPeriod > 0, ' +
        'got 9000, 10000 and 2000 ms',
    )
  })

  void test('an identity names the host and is new each time', () => {
    assert.match(processIdentity(), /^.+_[0-9a-f-]{36}$/)
    assert.notEqual(processIdentity(), processIdentity())
  })
})
