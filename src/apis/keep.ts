/**
 * What is read of an object, as data: whatever is not named here is skipped while the bytes come in,
 * so that memory does not depend on what others write into their objects. It stands beside the type
 * that it is for. How it is followed: `adapters/kube/sieve.ts`.
 *
 *   { spec: { nodeName: short } }            text or a number, of so many bytes at most
 *   { spec: { containers: { name: short } }} of a list, each of its members
 *   { annotations: { 'mbcas.io/*': short } } all names that begin so
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
