import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { millicores } from '../units.ts'
import { noProtection, protect, type Protected, type Protection } from './protection.ts'

type Of = Partial<Omit<Protected, 'used' | 'entitled'>> & {
  readonly used?: number
  readonly entitled?: number
}

const member = ({ used = 400, entitled = 500, ...rest }: Of = {}): Protected => ({
  id: 'victim',
  isHurt: false,
  isTaker: false,
  ...rest,
  used: millicores(used),
  entitled: millicores(entitled),
})

const victim = (isHurt: boolean): Protected => member({ isHurt })
/** It uses all that it may. */
const taker = (before: Protection, of: Of = {}): Protected =>
  member({ id: 'taker', isTaker: true, used: before.held.get('taker') ?? 1800, ...of })

type Scene = { readonly hurt: readonly boolean[]; readonly taker?: Of; readonly seconds?: number }

/** What the taker is held to after each sample. */
function heldOver({ hurt, taker: of, seconds = 1 }: Scene): (number | undefined)[] {
  let state = noProtection
  return hurt.map((isHurt) => {
    state = protect(state, [victim(isHurt), taker(state, of)], seconds)
    return state.held.get('taker')
  })
}

const times = (count: number, isHurt: boolean): boolean[] =>
  Array.from({ length: count }, () => isHurt)

void describe('what takers are held to', () => {
  each<{ name: string; scene: Scene; gives: readonly (number | undefined)[] }>(
    [
      {
        name: 'nine tenths of what they use after 2 s of suffering, then of that',
        scene: { hurt: times(4, true) },
        gives: [undefined, 1620, 1458, 1312],
      },
      {
        name: 'a quarter more every second once nobody suffers',
        scene: { hurt: [true, true, true, false, false] },
        gives: [undefined, 1620, 1458, 1823, 2279],
      },
      {
        name: 'nothing, if the suffering ends in between',
        scene: { hurt: [true, false, true, false] },
        gives: [undefined, undefined, undefined, undefined],
      },
      {
        name: 'nothing, if they are within their entitlement',
        scene: { hurt: times(4, true), taker: { used: 400 } },
        gives: [undefined, undefined, undefined, undefined],
      },
      {
        name: 'nothing, if they are in the fast lane',
        scene: { hurt: times(3, true), taker: { isTaker: false } },
        gives: [undefined, undefined, undefined],
      },
      {
        name: 'nothing, if they suffer themselves',
        scene: { hurt: times(3, true), taker: { isHurt: true } },
        gives: [undefined, undefined, undefined],
      },
      {
        name: 'a step per second, however often samples come',
        scene: { hurt: times(10, true), seconds: 0.5 },
        gives: [...times(3, true).map(() => undefined), 1620, 1620, 1458, 1458, 1312, 1312, 1180],
      },
    ],
    ({ scene, gives }) => assert.deepEqual(heldOver(scene), gives),
  )

  void test('nothing any more, once they do not reach it', () => {
    const held = { ...noProtection, held: new Map([['taker', millicores(1000)]]) }
    const calm = protect(held, [victim(false), taker(held, { used: 800 })], 1)
    assert.equal(calm.held.size, 0)
  })

  void test('is forgotten of who is gone, and of who comes to suffer', () => {
    const held = { ...noProtection, held: new Map([['taker', millicores(1000)]]) }
    assert.equal(protect(held, [victim(true)], 0.25).held.size, 0)
    assert.equal(protect(held, [taker(held, { isHurt: true })], 0.25).held.size, 0)
  })
})

void describe('holding that does not help', () => {
  const scene = { hurt: times(90, true), taker: { entitled: 1500 } }

  void test('ends 5 s after all are held to their entitlements, for a minute', () => {
    const held = heldOver(scene)
    // 1620, 1500, and five seconds later nothing.
    assert.deepEqual(held.slice(1, 9), [1620, 1500, 1500, 1500, 1500, 1500, undefined, undefined])
    const again = held.findIndex((quota, i) => i > 9 && quota !== undefined)
    assert.ok(again - 7 >= 60 && again - 7 <= 63, `${again}`)
  })
})

void test('whoever is late beside the CPU that was freed for it is not helped: that ends, too', () => {
  const late = member({ id: 'late', isLate: true })
  let state = protect(noProtection, [{ ...late, isHurt: true }, taker(noProtection)], 2)
  assert.equal(state.held.size, 1)
  for (let i = 0; i < 20 && state.held.size > 0; i += 1) {
    state = protect(state, [late, member({ id: 'taker', used: 100 })], 1)
  }
  assert.deepEqual([state.held.size, state.restSeconds], [0, 60])
})

type Script = {
  readonly claimants: number
  readonly turn: number
  readonly pause: number
  readonly used: readonly number[]
  readonly seconds: number
}

/** How long the first taker was held before each sample: claimants take turns, with pauses. */
function heldByTurns({ claimants, turn, pause, used, seconds }: Script): number[] {
  let state = noProtection
  let held = 0
  return Array.from({ length: Math.ceil(1200 / seconds) }, (_, i) => {
    const at = i * seconds
    const whose = Math.floor(at / (turn + pause)) % claimants
    const claims = at % (turn + pause) < turn
    const suffering = Array.from({ length: claimants }, (_, of) =>
      member({ id: `claimant${of}`, isHurt: claims && of === whose }),
    )
    const takers = used.map((used, of) => {
      const id = `taker${of}`
      return taker(state, { id, used: Math.min(used, state.held.get(id) ?? used), entitled: 100 })
    })
    state = protect(state, [...suffering, ...takers], seconds)
    const before = held
    if (state.held.has('taker0')) held += seconds
    return before
  })
}

function mostIn(window: number, held: readonly number[], seconds: number): number {
  const samples = window / seconds
  return Math.max(...held.map((sum, i) => sum - (held[i - samples] ?? 0)))
}

void describe('whoever is held for others is so for a minute in five at most', () => {
  const one = { claimants: 1, turn: 6, pause: 2, used: [1800], seconds: 0.25 }
  each<{ name: string; script: Script }>(
    [
      { name: 'while somebody feigns to suffer, with pauses', script: one },
      { name: 'while somebody never stops', script: { ...one, turn: 1200 } },
      {
        name: 'while six take turns',
        script: { ...one, claimants: 6, turn: 55, pause: 0 },
      },
    ],
    ({ script }) => {
      const held = heldByTurns(script)
      const most = mostIn(300, held, script.seconds)
      assert.ok(most > 55 && most <= 60 + script.seconds, `${most} s of 300`)
      assert.ok((held.at(-1) ?? 0) > 150, 'and again after that')
    },
  )

  void test('whatever others claim', () => {
    const script = fc.record({
      claimants: fc.integer({ min: 1, max: 10 }),
      turn: fc.integer({ min: 1, max: 400 }),
      pause: fc.integer({ min: 0, max: 300 }),
      used: fc.array(fc.integer({ min: 100, max: 4000 }), { minLength: 1, maxLength: 3 }),
      seconds: fc.constantFrom(1, 3),
    })
    fc.assert(
      fc.property(script, (script) => {
        const most = mostIn(300, heldByTurns(script), script.seconds)
        assert.ok(most <= 60 + script.seconds, `${most} s of 300`)
      }),
    )
  })
})

void test('a hog that comes while somebody suffers for whom nobody could be held is held at once', () => {
  let state = noProtection
  for (let at = 0; at < 20; at += 1) state = protect(state, [victim(true)], 1)
  assert.equal(protect(state, [victim(true), taker(state)], 1).held.size, 1)
})

void test('whoever is back in the fast lane is held no longer', () => {
  const held = protect(noProtection, [victim(true), taker(noProtection)], 2)
  assert.equal(held.held.size, 1)
  const back = protect(held, [victim(true), taker(held, { isTaker: false, used: 300 })], 1)
  assert.equal(back.held.size, 0)
})

void test('nobody is ever held below its entitlement, and never while it suffers', () => {
  const amount = fc.integer({ min: 0, max: 4000 })
  const one = fc.record({
    used: amount,
    entitled: amount,
    isHurt: fc.boolean(),
    isTaker: fc.boolean(),
  })
  const samples = fc.array(fc.array(one, { minLength: 3, maxLength: 3 }), { maxLength: 60 })
  const seconds = fc.constantFrom(0.25, 1, 3)
  fc.assert(
    fc.property(samples, seconds, (all, seconds) => {
      let state = noProtection
      for (const sample of all) {
        const members = sample.map((of, i) => member({ ...of, id: `m${i}`, entitled: 500 * i }))
        state = protect(state, members, seconds)
        for (const { id, entitled, isHurt } of members) {
          const quota = state.held.get(id)
          assert.ok(quota === undefined || (quota >= entitled && !isHurt))
        }
      }
    }),
  )
})
