/**
 * Makes a question on which two disagree small, so that a person can read why. Method: greedy; of all
 * questions that are smaller by one change, the first on which they still disagree, until there is
 * none. A change leaves out an item, a key or some CPUs of a list, or makes a number smaller; keys
 * that `kept` names stay, since without them it would be another question.
 */

/** Which of the questions they disagree on; one that is no sensible question is none of them. */
export type Disagree<Q> = (questions: readonly Q[]) => Promise<readonly boolean[]>

/** Most is gone after a few rounds; a question is worth keeping also if it could be smaller still. */
const MOST_ROUNDS = 300
/** Counts and ids; a larger number is an amount, which is sensible only as it is. */
const SMALL = 1000
/** Asked at a time: often one of the first will do. */
const BATCH = 40

export async function minimise<Q>(
  question: Q,
  { kept, disagree }: { readonly kept: readonly string[]; readonly disagree: Disagree<Q> },
): Promise<Q> {
  let smallest = question
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = await firstOf(smallerThan(smallest, kept) as Q[], disagree)
    if (next === undefined) return smallest
    smallest = next
  }
  return smallest
}

async function firstOf<Q>(questions: readonly Q[], disagree: Disagree<Q>): Promise<Q | undefined> {
  for (let i = 0; i < questions.length; i += BATCH) {
    const batch = questions.slice(i, i + BATCH)
    const found = (await disagree(batch)).indexOf(true)
    if (found >= 0) return batch[found]
  }
  return undefined
}

/** The largest steps first. */
function smallerThan(value: unknown, kept: readonly string[]): unknown[] {
  if (Array.isArray(value)) {
    const items = value as unknown[]
    const inside = items.flatMap((item, i) =>
      smallerThan(item, kept).map((part): unknown => items.with(i, part)),
    )
    return [...shorter(items), ...inside]
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    const fewer = shorter(entries).filter((left) => hasAll(left, entries, kept))
    const inside = entries.flatMap(([key, item]) =>
      smallerThan(item, kept).map((part): unknown => Object.assign({}, value, { [key]: part })),
    )
    return [...fewer.map((left) => Object.fromEntries(left) as unknown), ...inside]
  }
  if (typeof value === 'number' && value > 0 && value < SMALL) {
    return [0, Math.floor(value / 2), value - 1]
  }
  if (typeof value === 'string' && /^\d+(-\d+)?(,\d+(-\d+)?)*$/.test(value)) {
    return shorter(value.split(',')).map((parts) => parts.join(','))
  }
  return value === true ? [false] : []
}

function shorter<T>(items: readonly T[]): T[][] {
  const half = Math.ceil(items.length / 2)
  const halves = items.length > 3 ? [items.slice(half), items.slice(0, half)] : []
  return [...halves, ...items.map((_, i) => items.toSpliced(i, 1))]
}

type Entries = readonly (readonly [string, unknown])[]

const hasAll = (left: Entries, all: Entries, kept: readonly string[]): boolean =>
  all.every(([key]) => !kept.includes(key) || left.some(([one]) => one === key))
