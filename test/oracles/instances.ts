/** Reads what the oracles in this folder answered and holds our clearing to it. */
import assert from 'node:assert/strict'

import { type MechanismName, mechanismNames } from '../../src/core/market/mechanism-names.ts'
import { bid, cleared, type CpuBid } from '../markets.ts'

type Line = {
  readonly m: MechanismName
  readonly c: number
  readonly b: readonly (readonly [floor: number, need: number, ceiling: number, weight: number])[]
  readonly i?: readonly string[]
  readonly x: readonly number[]
  readonly p?: number | null
}

export const parseLines = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

const bidsOf = ({ b, i }: Line): CpuBid[] =>
  b.map(([floor, need, ceiling, weight], at) =>
    bid({ id: i?.[at] ?? `b${at}`, floor, need, ceiling, weight }),
  )

/** Nash is also what primal-dual must find. */
const mechanismsOf = ({ m }: Line): readonly MechanismName[] =>
  mechanismNames.filter((name) => name === m || (m === 'nash' && name === 'primal-dual'))

/** No value before rounding is further off than `bar.amount` of capacity, no price than `bar.price` of it. */
export function holdExact(lines: readonly Line[], bar: { amount: number; price: number }): void {
  for (const line of lines) {
    for (const mechanism of mechanismsOf(line)) {
      const { exact, price } = cleared(line.c, bidsOf(line), { mechanism })
      const said = () =>
        `${mechanism} on ${JSON.stringify(line)} gave ${exact.join(', ')} at ${price}`
      for (const [i, value] of line.x.entries()) {
        const off = Math.abs((exact[i] ?? NaN) - value) / Math.max(1, line.c)
        assert.ok(off <= bar.amount, `off by ${off} of capacity: ${said()}`)
      }
      // What primal-dual hears is a sum, which fixes the amounts, but a price only up to its rounding.
      if (mechanism === 'primal-dual' && line.c > 1e6) continue
      if (typeof line.p === 'number' && line.p !== 0) {
        assert.ok(Math.abs((price ?? NaN) / line.p - 1) <= bar.price, said())
      } else assert.equal(price, line.p, said())
    }
  }
}

export function holdWhole(lines: readonly Line[]): void {
  for (const line of lines) {
    for (const mechanism of mechanismsOf(line)) {
      const { amounts } = cleared(line.c, bidsOf(line), { mechanism })
      assert.deepEqual(amounts, line.x, `${mechanism} on ${JSON.stringify(line)}`)
    }
  }
}
