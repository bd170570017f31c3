/**
 * What is read of an object, as data: whatever is not named here is skipped while the bytes come in,
 * so that memory does not depend on what others write into their objects. It stands beside the type
 * that it is for. How it is followed: `adapters/kube/sieve.ts`.
 *
 *   { spec: { nodeName: short } }            text or a number, of so many bytes at most
 *   { spec: { containers: { name: short } }} of a list, each of its members
 *   { annotations: { 'mbcas.io/*': short } } names that begin so, the first 16 of them
 *   { status: whole }                        all of it: only where no tenant writes
 *
 * A longer text is replaced by one that says so; its owner is told of it as of any other bad value.
 * Name, namespace, UID and version of an object are always read.
 */
export type Keep = number | 'whole' | { readonly [name: string]: Keep }

/** In bytes: names, quantities, times, labels; Kubernetes allows a name 253. */
export const short = 256
/** Messages of conditions and events, for people. */
export const long = 1024
export const whole = 'whole'

/** What is kept of one object, in bytes of JSON: ten times a usual pod. An object with more is unread. */
export const mostKeptBytes = 32 * 1024

/** Of names by their beginning: whoever invents more of them must not crowd out what is needed. */
export const mostNames = 16

export const replacement = (most: number): string => `(more than ${most} bytes)`

/** The same of an object that is there already; undefined for what is not kept. */
export function keepIn(value: unknown, keep: Keep): unknown {
  if (keep === whole) return value
  if (Array.isArray(value)) {
    return value.map((one) => keepIn(one, keep)).filter((one) => one !== undefined)
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
