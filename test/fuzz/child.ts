/**
 * The process that inputs are fed in: it may hang or abort, and its parent sees it. Before each input
 * it writes the number of it to a file, which outlives it.
 */
import { openSync, writeSync } from 'node:fs'

import { type Failure, feed, inputOf } from './feed.ts'
import { minimise } from './minimise.ts'
import type { FuzzInput, FuzzTarget } from './target.ts'
import { targets } from './targets.ts'

export type Asked =
  | { readonly do: 'feed'; readonly from: number; readonly to: number }
  | { readonly do: 'minimise'; readonly index: number }

export type Told =
  | {
      readonly told: 'fed'
      readonly next: number
      readonly slowest: { readonly millis: number; readonly index: number }
      readonly failures: readonly (Failure & { readonly index: number })[]
    }
  | { readonly told: 'minimised'; readonly input: FuzzInput }

/** Often enough that a budget of time is kept, seldom enough that messages cost nothing. */
const TELL_EVERY_MILLIS = 200

const [name = '', seedText = '', progressFile = ''] = process.argv.slice(2)
const seed = Number(seedText)
const found = targets.find((target) => target.name === name)
if (found === undefined) throw new Error(`expected a target, got ${name}`)
const target: FuzzTarget = found
const progress = openSync(progressFile, 'w')
const counter = new Float64Array(1)
/** Counts what was begun, so that a parent sees whether there is progress; the index is beside it. */
const begin = (index: number) => {
  counter[0] = index
  writeSync(progress, counter, 0, 8, 0)
}

async function feedRange(from: number, to: number): Promise<Told> {
  const start = performance.now()
  const failures: (Failure & { readonly index: number })[] = []
  let slowest = { millis: 0, index: from }
  let index = from
  for (let now = start; index < to && now - start < TELL_EVERY_MILLIS; index += 1) {
    begin(index)
    const input = inputOf(target, seed, index)
    const failure = await feed(target, input)
    if (failure) failures.push({ ...failure, index })
    const then = performance.now()
    if (then - now > slowest.millis) slowest = { millis: then - now, index }
    now = then
  }
  return { told: 'fed', next: index, slowest, failures }
}

async function minimiseInput(index: number): Promise<Told> {
  const input = inputOf(target, seed, index)
  const wanted = (await feed(target, input))?.signature
  let attempt = 0
  const smallest = await minimise(input, async (smaller) => {
    attempt -= 1
    begin(attempt)
    return (await feed(target, smaller))?.signature === wanted
  })
  return { told: 'minimised', input: wanted === undefined ? input : smallest }
}

process.on('message', (asked: Asked) => {
  const answer = asked.do === 'feed' ? feedRange(asked.from, asked.to) : minimiseInput(asked.index)
  void answer.then((told) => process.send?.(told))
})
