/**
 * Finds a match as Go does, the leftmost and of those the first by preference, in time that grows with
 * the text times the pattern and never faster (Pike's machine): all ways are walked side by side.
 *
 *   ^(a+)+$ on 40 letters a and a b    JavaScript: years    here: microseconds
 */
import { isWordPoint } from './characters.ts'
import type { Assertion } from './parse.ts'
import type { Program } from './program.ts'

/** One pattern on one text, in instructions looked at: a second or two. A text of 3 MiB takes a third. */
const MOST_STEPS = 50_000_000

export class TooCostly extends Error {
  override readonly name = 'TooCostly'
}

/** Ways that wait at an instruction, the preferred first. */
type Ways = { readonly at: Int32Array; readonly start: Int32Array; count: number }

/** What is left of the steps. */
type Budget = { left: number }

/** A program and a text, with room for the work: one for all searches of a call. */
export type Search = {
  readonly program: Program
  readonly text: string
  readonly budget: Budget
  /** Where each instruction was met last. */
  readonly seen: Int32Array
  readonly ways: readonly [Ways, Ways]
}

export function newSearch(program: Program, text: string): Search {
  const size = program.length
  const newWays = (): Ways => ({ at: new Int32Array(size), start: new Int32Array(size), count: 0 })
  const ways = [newWays(), newWays()] as const
  return { program, text, budget: { left: MOST_STEPS }, seen: new Int32Array(size), ways }
}

export type Found = { readonly from: number; readonly to: number }

type Asked = {
  readonly from?: number
  /** Any match will do, and where it is does not matter. */
  readonly isTest?: boolean
}

export function search(searching: Search, { from = 0, isTest = false }: Asked): Found | undefined {
  const { program, text, budget, seen } = searching
  charge(budget, program.length) // many short matches of a long pattern are not free
  seen.fill(-1)
  let [now, next] = searching.ways
  now.count = 0
  let best: Found | undefined
  for (let at = from; at <= text.length;) {
    const point = text.codePointAt(at)
    const width = point !== undefined && point > 0xff_ff ? 2 : 1
    if (best === undefined) follow(searching, { pc: 0, at, start: at, ways: now })
    if (now.count === 0 && best !== undefined) return best
    next.count = 0
    for (let i = 0; i < now.count; i += 1) {
      const pc = now.at[i] ?? 0
      const start = now.start[i] ?? 0
      const instruction = program[pc]
      charge(budget, instruction?.do === 'take' && (point ?? 0) > 127 ? instruction.set.cost : 1)
      if (instruction?.do === 'match') {
        best = { from: start, to: at }
        if (isTest) return best
        break // what comes later is less preferred
      }
      if (instruction?.do === 'take' && point !== undefined && instruction.set.has(point)) {
        follow(searching, { pc: pc + 1, at: at + width, start, ways: next })
      }
    }
    ;[now, next] = [next, now]
    at += width
  }
  return best
}

function charge(budget: Budget, steps: number): void {
  budget.left -= steps
  if (budget.left < 0) throw new TooCostly('matching takes too long')
}

type Way = { readonly pc: number; readonly at: number; readonly start: number; readonly ways: Ways }

/** All instructions that can be reached from here without taking a character. */
function follow(searching: Search, { pc: first, at, start, ways }: Way): void {
  const { program, seen, text, budget } = searching
  const stack = [first]
  for (let pc = stack.pop(); pc !== undefined; pc = stack.pop()) {
    if (seen[pc] === at) continue
    seen[pc] = at
    charge(budget, 1)
    const instruction = program[pc]
    if (instruction === undefined) continue
    if (instruction.do === 'jump') stack.push(instruction.to)
    else if (instruction.do === 'fork') stack.push(instruction.second, instruction.first)
    else if (instruction.do === 'assert') {
      if (holds(instruction.what, text, at)) stack.push(pc + 1)
    } else {
      ways.at[ways.count] = pc
      ways.start[ways.count] = start
      ways.count += 1
    }
  }
}

function holds(what: Assertion, text: string, at: number): boolean {
  switch (what) {
    case 'start':
      return at === 0
    case 'end':
      return at === text.length
    case 'line start':
      return at === 0 || text[at - 1] === '\n'
    case 'line end':
      return at === text.length || text[at] === '\n'
    case 'boundary':
      return isBoundary(text, at)
    case 'no boundary':
    default:
      return !isBoundary(text, at)
  }
}

const isBoundary = (text: string, at: number): boolean =>
  isWordPoint(text.charCodeAt(at - 1)) !== isWordPoint(text.charCodeAt(at))
