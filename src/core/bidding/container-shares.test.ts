import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { container } from '../../../test/node-pods.ts'
import { millicores } from '../units.ts'
import { promiseOverContainers, shareOverContainers } from './container-shares.ts'
import type { CpuRange, PodContainer } from './pod.ts'

void describe('sharing over containers', () => {
  const share = { need: millicores(1150), limit: millicores(1150), requestRatio: 0.75 }

  void test('an idle container beside a busy one keeps enough to wake up', () => {
    const busy = container({ demandCores: 1 })
    const idle = container({ name: 'idle', demandCores: 0 })
    const [first, second] = shareOverContainers([busy, idle], share)
    assert.deepEqual([first?.limit, second?.limit], [1089, 61])
  })

  void test('what a LimitRange does not let one have goes to the others', () => {
    const busy = container({ demandCores: 1 })
    const idle = container({ name: 'idle', demandCores: 0 })
    const capped = { ...share, range: { container: millicores(700) } }
    const [first, second] = shareOverContainers([busy, idle], capped)
    assert.deepEqual([first?.limit, second?.limit], [700, 450])
  })

  void test('an idle container is promised what a LimitRange wants', () => {
    const busy = container({ demandCores: 1 })
    const idle = container({ name: 'idle', demandCores: 0 })
    const shares = shareOverContainers([busy, idle], { ...share, range: { least: millicores(90) } })
    const amounts = shares.map(({ request, limit }) => [request, limit])
    assert.deepEqual(amounts, [
      [741, 989],
      [90, 161],
    ])
  })

  void test('without a limit only the request moves, without a request nothing does', () => {
    const free = container({ demandCores: 1, limit: undefined })
    const bare = container({ name: 'bare', request: undefined, limit: undefined, demandCores: 1 })
    const shares = shareOverContainers([free, bare], share)
    assert.deepEqual(shares, [{ name: 'app', request: 575, limit: undefined }])
  })
})

void describe('promising over containers, whose limits are no shares', () => {
  type Row = {
    readonly need: number
    readonly limit?: number | undefined
    readonly first?: number
    readonly range?: CpuRange
    readonly ceiling?: number
  }
  const amount = (value: number | undefined) =>
    value === undefined ? undefined : millicores(value)
  const promised = (containers: readonly PodContainer[], { need, range, ceiling }: Row) =>
    promiseOverContainers(containers, {
      need: millicores(need),
      range,
      ceiling: amount(ceiling),
    }).map(({ request, limit }) => [request, limit])

  const most = (cpu: number) => ({ container: millicores(cpu) })
  const least = (cpu: number) => ({ least: millicores(cpu) })
  const none = undefined
  each<Row & { readonly name: string; readonly gives: readonly [number, number | undefined] }>(
    [
      { name: 'a limit stays as written', need: 300, limit: 800, gives: [300, 800] },
      {
        name: 'as noted, where we raised it',
        need: 300,
        limit: 900,
        first: 800,
        gives: [300, 800],
      },
      { name: 'or where it was a share', need: 300, limit: 400, first: 800, gives: [300, 800] },
      { name: 'it is raised above a request', need: 950, limit: 800, gives: [950, 1000] },
      { name: 'which it stays above', need: 800, limit: 800, gives: [800, 843] },
      { name: 'nobody gets a first limit', need: 300, limit: none, gives: [300, none] },
      { name: 'also not by a note', need: 300, limit: none, first: 800, gives: [300, none] },
      {
        name: 'a LimitRange bounds the raise, and so the request',
        need: 950,
        limit: 200,
        range: most(500),
        gives: [475, 500],
      },
      {
        name: 'and what comes back by a note',
        need: 100,
        limit: 200,
        first: 800,
        range: most(500),
        gives: [100, 500],
      },
      {
        name: 'but lowers no limit that was written',
        need: 950,
        limit: 800,
        range: most(500),
        gives: [500, 800],
      },
      {
        name: 'and the request of one without a limit',
        need: 950,
        limit: none,
        range: most(500),
        gives: [500, none],
      },
      {
        name: 'what it wants promised is, below the limit',
        need: 10,
        limit: 100,
        range: least(100),
        gives: [100, 106],
      },
      {
        name: 'a request is raised for the limit that it goes with',
        need: 100,
        limit: 800,
        range: { limitRatio: 2 },
        gives: [400, 800],
      },
      {
        name: 'up to it, where nothing else is allowed',
        need: 100,
        limit: 800,
        range: { limitRatio: 1 },
        gives: [800, 800],
      },
      { name: 'a ceiling bounds a raise', need: 300, limit: 200, ceiling: 300, gives: [285, 300] },
      { name: 'and lowers nothing', need: 300, limit: 800, ceiling: 300, gives: [300, 800] },
      { name: 'the least is 1m below 2m', need: 0, limit: 1, gives: [1, 2] },
    ],
    ({ limit, first, gives, ...row }) => {
      const one = container({ limit: amount(limit), firstLimit: amount(first) })
      assert.deepEqual(promised([one], { limit, ...row }), [gives])
    },
  )

  void test('one that needs more than its limit takes of the ceiling what the others leave', () => {
    const [busy, idle] = [0.75, 0.05].map((demandCores, i) =>
      container({ name: `c${i}`, demandCores, limit: millicores(500) }),
    )
    assert.ok(busy !== undefined && idle !== undefined)
    const row = { need: 900 }
    assert.deepEqual(promised([busy, idle], row), [
      [800, 843],
      [100, 500],
    ])
    assert.deepEqual(promised([busy, idle], { ...row, ceiling: 1200 }), [
      [665, 700],
      [100, 500],
    ])
  })

  void test('one with neither request nor limit is left out', () => {
    const bare = container({ name: 'bare', request: undefined, limit: undefined })
    assert.deepEqual(promised([container(), bare], { need: 100 }), [[50, 200]])
  })
})
