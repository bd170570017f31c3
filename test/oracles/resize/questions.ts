/** Random pods, and resizes and updates of them, from a seed. */
import { seededRandom } from '../../../src/core/random.ts'
import { resizes, updates } from './changes.ts'
import { mistakes } from './mistakes.ts'
import { type Dice, type Json, makeDice, makePod, says } from './pods.ts'

export type Op = 'create' | 'update' | 'status' | 'resize' | 'validate-resize'
export type Question = { readonly op: Op; readonly pod: Json; readonly old?: Json }

export function askAboutPods(count: number, seed: number): Question[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => ask(makeDice(random)))
}

/** Those whose answers are in cases.jsonl. */
export const recorded = (): Question[] => askAboutPods(400, 1)

const ops: readonly Op[] = [
  'resize',
  'resize',
  'resize',
  'resize',
  'validate-resize',
  'create',
  'update',
  'status',
]

function ask(dice: Dice): Question {
  const op = dice.pick(ops)
  const old = makePod(dice, op === 'create' ? 0.2 : 0.05)
  if (op === 'create') {
    delete old.spec['os'] // what a Windows pod may not have is not ours to know
    for (let i = dice.below(3); i > 0; i -= 1) dice.pick(mistakes)(old.spec, dice)
    return { op, pod: old }
  }
  const pod = structuredClone(old)
  if (op === 'status') {
    const names = old.spec.containers.map(({ name }) => name)
    return {
      op,
      pod: { ...pod, status: says(names, dice) },
      old: { ...old, status: says(names, dice) },
    }
  }
  const changes = op === 'update' ? [...updates, ...resizes.slice(0, 2)] : resizes
  for (let i = dice.pick([1, 1, 1, 1, 2, 3]); i > 0; i -= 1) dice.pick(changes)(pod.spec, dice)
  if (dice.chance(0.05)) pod.metadata['labels'] = { a: 'b' }
  return { op, pod, old }
}
