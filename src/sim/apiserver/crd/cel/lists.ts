/** Functions on lists and sets. */
import { Optional, type Environment } from '@marcbachmann/cel-js'

import { spend } from './cost.ts'
import { isEqual } from './equality.ts'
import { CelFault } from './fault.ts'

type List = Iterable<unknown>

/** All that Kubernetes lets lists be sorted by: numbers, texts, times, durations, booleans. */
function isBelow(a: unknown, b: unknown): boolean {
  return (a as number) < (b as number)
}

function extreme(list: List, [name, isBetter]: readonly [string, typeof isBelow]): unknown {
  const [first, ...rest] = list
  if (first === undefined) throw new CelFault(`${name} called on empty list`)
  return rest.reduce((best, next) => (isBetter(next, best) ? next : best), first)
}

const isSorted = (list: List): boolean => {
  const items = [...list]
  return items.every((item, i) => i === 0 || !isBelow(item, items[i - 1]))
}

const sortItems = (list: List): unknown[] =>
  [...list].toSorted((a, b) => Number(isBelow(b, a)) - Number(isBelow(a, b)))

function distinct(list: List): unknown[] {
  const items = [...list]
  spend(items.length ** 2 / 10)
  return items.filter((item, i) => items.findIndex((other) => isEqual(other, item)) === i)
}

function slice(list: List, from: bigint, to: bigint): unknown[] {
  const items = [...list]
  const outside = `cannot slice(${from}, ${to})`
  if (from < 0n || to < 0n) throw new CelFault(`${outside}, negative indexes not supported`)
  if (from > to)
    throw new CelFault(`${outside}, start index must be less than or equal to end index`)
  if (to > BigInt(items.length)) throw new CelFault(`${outside}, list is length ${items.length}`)
  return items.slice(Number(from), Number(to))
}

export function registerLists(env: Environment): void {
  const indexIn = (list: List, item: unknown): bigint =>
    BigInt([...list].findIndex((other) => isEqual(other, item)))
  const lastIndexIn = (list: List, item: unknown): bigint =>
    BigInt([...list].findLastIndex((other) => isEqual(other, item)))
  env.registerFunction('list<A>.isSorted(): bool', isSorted)
  env.registerFunction('list<A>.min(): A', (list: List) => extreme(list, ['min', isBelow]))
  env.registerFunction('list<A>.max(): A', (list: List) =>
    extreme(list, ['max', (a, b) => isBelow(b, a)]),
  )
  env.registerFunction('list<A>.indexOf(A): int', indexIn)
  env.registerFunction('list<A>.lastIndexOf(A): int', lastIndexIn)
  env.registerFunction('list<int>.sum(): int', (list: Iterable<bigint>) =>
    [...list].reduce((total, item) => total + item, 0n),
  )
  env.registerFunction('list<double>.sum(): double', (list: Iterable<number>) =>
    [...list].reduce((total, item) => total + item, 0),
  )
  env.registerFunction('list<A>.distinct(): list<A>', distinct)
  env.registerFunction('list<A>.sort(): list<A>', sortItems)
  env.registerFunction('list<A>.reverse(): list<A>', (list: List) => [...list].toReversed())
  env.registerFunction('list<A>.slice(int, int): list<A>', slice)
  env.registerFunction('list.flatten(): list', (list: List) => [...list].flat())
  env.registerFunction('list<A>.first(): optional<A>', (list: List) => Optional.of([...list][0]))
  env.registerFunction('list<A>.last(): optional<A>', (list: List) => Optional.of([...list].at(-1)))
  registerSets(env)
}

/** The library calls `sets.contains` as a method of what `sets` is. */
class SetsNamespace {
  readonly name = 'sets'
}

function registerSets(env: Environment): void {
  const containsAll = (list: List, sub: List): boolean => {
    const [items, wanted] = [[...list], [...sub]]
    spend(items.length * wanted.length)
    return wanted.every((item) => items.some((other) => isEqual(other, item)))
  }
  env.registerType('SetsNamespace', SetsNamespace)
  env.registerConstant('sets', 'SetsNamespace', new SetsNamespace())
  env.registerFunction(
    'SetsNamespace.contains(list<A>, list<A>): bool',
    (_: unknown, a: List, b: List) => containsAll(a, b),
  )
  env.registerFunction(
    'SetsNamespace.equivalent(list<A>, list<A>): bool',
    (_: unknown, a: List, b: List) => containsAll(a, b) && containsAll(b, a),
  )
  env.registerFunction(
    'SetsNamespace.intersects(list<A>, list<A>): bool',
    (_: unknown, a: List, b: List) => {
      const [items, others] = [[...a], [...b]]
      spend(items.length * others.length)
      return items.some((item) => others.some((other) => isEqual(other, item)))
    },
  )
}
