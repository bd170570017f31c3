import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { type CpuSettings, type Group, planWrites, settle } from './plan-writes.ts'

const cpu = (quotaMicros: number | null, burstMicros = 0, shares = 1024): CpuSettings => ({
  shares,
  quotaMicros,
  burstMicros,
  periodMicros: 100_000,
})

const pod = (now: CpuSettings, wanted: CpuSettings): Group => ({ path: 'a/pod', now, wanted })
const container = (now: CpuSettings, wanted: CpuSettings): Group => ({
  path: 'a/pod/c',
  now,
  wanted,
})

const told = (groups: readonly Group[]): string[] =>
  planWrites(groups).map(({ group, setting, to }) => `${group.path} ${setting} ${to}`)

void describe('the order of writes', () => {
  each(
    [
      {
        name: 'up: pod before container, quota before burst',
        groups: [
          container(cpu(50_000, 50_000), cpu(80_000, 80_000)),
          pod(cpu(50_000, 50_000), cpu(80_000, 80_000)),
        ],
        gives: [
          'a/pod quotaMicros 80000',
          'a/pod/c quotaMicros 80000',
          'a/pod burstMicros 80000',
          'a/pod/c burstMicros 80000',
        ],
      },
      {
        name: 'down: burst before quota, container before pod',
        groups: [
          pod(cpu(80_000, 80_000), cpu(50_000, 50_000)),
          container(cpu(80_000, 80_000), cpu(50_000, 50_000)),
        ],
        gives: [
          'a/pod burstMicros 50000',
          'a/pod/c burstMicros 50000',
          'a/pod/c quotaMicros 50000',
          'a/pod quotaMicros 50000',
        ],
      },
      {
        name: 'nothing that stands is written again',
        groups: [pod(cpu(50_000, 50_000), cpu(50_000, 50_000)), container(cpu(null), cpu(null))],
        gives: [],
      },
      {
        name: 'no limit is the highest',
        groups: [
          pod(cpu(50_000), cpu(null)),
          container(cpu(null, 0, 1024), cpu(20_000, 20_000, 2048)),
        ],
        gives: [
          'a/pod quotaMicros null',
          'a/pod/c quotaMicros 20000',
          'a/pod/c burstMicros 20000',
          'a/pod/c shares 2048',
        ],
      },
    ],
    ({ groups, gives }) => assert.deepEqual(told(groups), gives),
  )

  void test('every step is one that the kernel accepts, and the last leaves what was wanted', () => {
    const quota = fc.option(fc.integer({ min: 1000, max: 300_000 }), { nil: null })
    const settings = fc
      .tuple(quota, fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([quota, share]) => cpu(quota, Math.floor((quota ?? 100_000) * share)))
    const tree = fc.tuple(settings, fc.array(settings, { minLength: 3, maxLength: 3 }))
    fc.assert(
      fc.property(tree, tree, (now, wanted) => {
        const [before, after] = [flatten(now), flatten(wanted)]
        const groups = before.map((now, i) => ({
          path: paths[i] ?? '',
          now,
          wanted: after[i] ?? now,
        }))
        const state = new Map(groups.map(({ path, now }) => [path, now]))
        for (const { group, setting, to } of planWrites(groups)) {
          state.set(group.path, { ...(state.get(group.path) ?? group.now), [setting]: to })
          assertAccepted(state)
        }
        assert.deepEqual([...state.values()], after)
      }),
    )
  })

  void test('while a period changes no more is allowed than before or after', () => {
    const settings = fc
      .tuple(fc.integer({ min: 1000, max: 1_000_000 }), fc.integer({ min: 10, max: 2000 }))
      .map(([periodMicros, milli]) =>
        settle(cpu(null, 0), { periodMicros, quotaMicros: (periodMicros * milli) / 1000 }),
      )
    fc.assert(
      fc.property(settings, settings, (now, wanted) => {
        const most = Math.max(allowedBy(now), allowedBy(wanted))
        const state = { ...now }
        for (const { setting, to } of planWrites([{ path: 'a', now, wanted }])) {
          Object.assign(state, { [setting]: to })
          assert.ok(allowedBy(state) <= most)
        }
        assert.deepEqual(state, wanted)
      }),
    )
  })
})

const allowedBy = ({ quotaMicros, periodMicros }: CpuSettings): number =>
  (quotaMicros ?? Infinity) / periodMicros

const paths = ['pod', 'pod/c1', 'pod/c2', 'pod/c3']

/** Brought within the rules: a child's quota within its parent's. */
function flatten([pod, containers]: readonly [CpuSettings, readonly CpuSettings[]]): CpuSettings[] {
  const most = pod.quotaMicros ?? Infinity
  const within = ({ quotaMicros, burstMicros = 0 }: CpuSettings): CpuSettings =>
    quotaMicros === null
      ? cpu(null, burstMicros)
      : cpu(Math.min(quotaMicros, most), Math.min(burstMicros, most))
  return [pod, ...containers.map(within)]
}

/** The kernel's rules on v1, which are the stricter. */
function assertAccepted(state: ReadonlyMap<string, CpuSettings>): void {
  const most = state.get('pod')?.quotaMicros ?? Infinity
  for (const [path, { quotaMicros, burstMicros = 0 }] of state) {
    assert.ok(quotaMicros === null || quotaMicros >= 1000)
    assert.ok(burstMicros <= (quotaMicros ?? Infinity), `${path}: burst above quota`)
    assert.ok(path === 'pod' || (quotaMicros ?? 0) <= most, `${path}: quota above the pod's`)
  }
}

void describe('what a change comes to', () => {
  const now = cpu(50_000, 40_000)
  each(
    [
      { name: 'nothing named changes nothing', change: {}, gives: now },
      {
        name: 'a quota below the burst takes the burst along',
        change: { quotaMicros: 30_000 },
        gives: cpu(30_000, 30_000),
      },
      {
        name: 'a burst is held to the quota',
        change: { burstMicros: 90_000 },
        gives: cpu(50_000, 50_000),
      },
      { name: 'a quota is at least 1 ms', change: { quotaMicros: 1 }, gives: cpu(1000, 1000) },
      {
        name: 'fractions are rounded to what the kernel takes',
        change: { quotaMicros: 20_000.6, burstMicros: 10_000.6, shares: 2.4 },
        gives: cpu(20_001, 10_000, 2),
      },
      {
        name: 'no limit leaves the burst',
        change: { quotaMicros: null },
        gives: cpu(null, 40_000),
      },
    ],
    ({ change, gives }) => assert.deepEqual(settle(now, change), gives),
  )

  void test('a kernel without burst gets none', () => {
    const old = { shares: 1024, quotaMicros: 50_000, periodMicros: 100_000 }
    assert.deepEqual(settle(old, { burstMicros: 50_000 }), old)
  })

  void test('a group that only idles keeps that', () => {
    assert.equal(settle(cpu(null, 0, 0), { shares: 1024 }).shares, 0)
  })
})
