/**
 * What is read of an object, as data: whatever is not named here is skipped while the bytes come in,
 * so that memory does not depend on what others write into their objects. It stands beside the type
 * that it is for. How it is followed: `adapters/kube/sieve.ts`.
 *
 *   { spec: { nodeName: short } }            text or a number, of so many bytes at most
 *   { spec: { containers: { name: short } }} of a list, each of its members
 *   { annotations: { 'mbcas.io/*': short } } names that begin so, the first 16 of them
 *   { status: whole }                        all of it: only where no tenant writes
 *   { refs: { uid: short, [only]: isMine, [atMost]: 8 } }  of a list, the first eight that are so
 *
 * A longer text is replaced by one that says so; its owner is told of it as of any other bad value.
 * Name, namespace, UID and version of an object are always read.
 */
export type Keep =
  | number
  | 'whole'
  | {
      readonly [name: string]: Keep
      readonly [only]?: IsKept
      readonly [atMost]?: number
    }

/** By what is kept of a member, and how many before it were kept. */
export type IsKept = (member: Readonly<Record<string, unknown>>, count: number) => boolean

/** Of a list, only members of which this is true: others take no room. */
export const only: unique symbol = Symbol('only')
/** Of a list, so many members: where one more or less changes no amount. */
export const atMost: unique symbol = Symbol('atMost')

/** In bytes: names, quantities, times, labels; Kubernetes allows a name 253. */
export const short = 256
/** Messages of conditions and events, for people. */
export const long = 1024
export const whole = 'whole'

/**
 * What is kept of one object, in bytes of JSON. A pod of 100 containers has less, whatever is written
 * into it; an object that has more stays known as it was when it last had less.
 */
export const mostKeptBytes = 128 * 1024

/** Of names by their beginning: whoever invents more of them must not crowd out what is needed. */
export const mostNames = 16

export const replacement = (most: number): string => `(more than ${most} bytes)`
