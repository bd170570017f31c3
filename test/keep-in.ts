/** What the sieve keeps, of objects that are there already: its oracle, and how a test makes what it gives. */
import { atMost, type Keep, mostNames, only, replacement, whole } from '../src/apis/keep.ts'
import { withoutForeignNote } from '../src/apis/original-note.ts'
import { type Pod, podKeep } from '../src/apis/pod.ts'

/** A pod as the agent's cache has it. */
export const projectPod = (pod: Pod): Pod => withoutForeignNote(keepIn(pod, podKeep) as Pod)

/** Undefined for what is not kept. */
export function keepIn(value: unknown, keep: Keep): unknown {
  if (keep === whole) return value
  if (Array.isArray(value)) {
    const kept = value.map((one) => keepIn(one, keep)).filter((one) => one !== undefined)
    if (typeof keep === 'number') return kept
    return membersIn(kept, keep)
  }
  const isScalar = typeof value !== 'object' || value === null
  if (typeof keep === 'number') return isScalar ? shortened(value, keep) : undefined
  if (isScalar) return undefined
  let left = mostNames
  const kept = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const isNamed = Object.hasOwn(keep, name)
    const found = isNamed ? keep[name] : byBeginning(keep, name)
    if (found === undefined || (!isNamed && (left -= 1) < 0)) return []
    const one = keepIn(member, found)
    return one === undefined ? [] : [[name, one]]
  })
  return Object.fromEntries(kept)
}

function membersIn(
  members: readonly unknown[],
  { [only]: isKept = () => true, [atMost]: most = Infinity }: Exclude<Keep, number | 'whole'>,
): unknown[] {
  const kept: unknown[] = []
  for (const one of members) {
    if (kept.length >= most) break
    if (!isRecord(one) || isKept(one, kept.length)) kept.push(one)
  }
  return kept
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const encoder = new TextEncoder()

function shortened(value: unknown, most: number): unknown {
  const isLong =
    typeof value === 'string' && encoder.encode(JSON.stringify(value)).length > most + 2
  return isLong ? replacement(most) : value
}

function byBeginning(keep: Readonly<Record<string, Keep>>, name: string): Keep | undefined {
  const found = Object.keys(keep).find(
    (key) => key.endsWith('*') && name.startsWith(key.slice(0, -1)),
  )
  return found === undefined ? undefined : keep[found]
}
