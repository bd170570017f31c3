/** A tree as instructions for `search`: Thompson's construction. */
import type { CharSet } from './characters.ts'
import type { Assertion, Node } from './parse.ts'

export type Instruction =
  | { readonly do: 'take'; readonly set: CharSet }
  | { readonly do: 'assert'; readonly what: Assertion }
  /** The first is tried before the second. */
  | { readonly do: 'fork'; first: number; second: number }
  | { readonly do: 'jump'; to: number }
  | { readonly do: 'match' }

export type Program = readonly Instruction[]

/** Far more than a pattern of a schema has; Go's bound is in megabytes. */
const MOST_INSTRUCTIONS = 50_000

export function compileNode(node: Node): Program {
  const program: Instruction[] = []
  emit(node, program)
  program.push({ do: 'match' })
  return program
}

function emit(node: Node, program: Instruction[]): void {
  if (program.length > MOST_INSTRUCTIONS) throw new SyntaxError('expression too large: ``')
  if (node.is === 'set') program.push({ do: 'take', set: node.set })
  else if (node.is === 'assert') program.push({ do: 'assert', what: node.what })
  else if (node.is === 'all') for (const part of node.of) emit(part, program)
  else if (node.is === 'repeat') emitRepeat(node, program)
  else emitAlternatives(node.of, program)
}

function emitAlternatives(branches: readonly Node[], program: Instruction[]): void {
  const ends: { to: number }[] = []
  for (const [i, branch] of branches.entries()) {
    if (i === branches.length - 1) emit(branch, program)
    else {
      const fork = { do: 'fork' as const, first: program.length + 1, second: 0 }
      program.push(fork)
      emit(branch, program)
      const end = { do: 'jump' as const, to: 0 }
      program.push(end)
      ends.push(end)
      fork.second = program.length
    }
  }
  for (const end of ends) end.to = program.length
}

function emitRepeat(
  { of, least, most, lazy }: Extract<Node, { is: 'repeat' }>,
  program: Instruction[],
): void {
  const optional = (emitPart: () => void): void => {
    const fork = { do: 'fork' as const, first: program.length + 1, second: 0 }
    program.push(fork)
    emitPart()
    fork.second = program.length
    if (lazy) [fork.first, fork.second] = [fork.second, fork.first]
  }
  /** Once, and then as often as there are more. */
  const emitMany = (): void => {
    const start = program.length
    emit(of, program)
    const after = program.length + 1
    const [first, second] = lazy ? [after, start] : [start, after]
    program.push({ do: 'fork', first, second })
  }
  if (most !== Infinity) {
    for (let i = 0; i < least; i += 1) emit(of, program)
    for (let i = least; i < most; i += 1) optional(() => emit(of, program))
  } else if (least === 0) optional(emitMany)
  else {
    for (let i = 1; i < least; i += 1) emit(of, program)
    emitMany()
  }
}
