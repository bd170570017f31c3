/** What can go wrong between a client and the server, so that a scenario can make it go wrong. */
import type { Refusal } from '../refusal.ts'
import type { Answer, Send, Stream } from './exchange.ts'

export type Fault =
  /** Answers so, and does nothing. */
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  /** Does it later. */
  | { readonly kind: 'delay'; readonly millis: number }
  /** The connection breaks before it is done, or after. */
  | { readonly kind: 'reset'; readonly when: 'before' | 'after' }
  /** A watch breaks off, or tells no more without ending, after some events. */
  | { readonly kind: 'watch'; readonly after: number; readonly how: 'break' | 'stall' }

export type Asked = {
  /** As in RBAC: get, list, watch, create, ... */
  readonly verb: string
  /** Plural; empty for what is no resource, such as discovery. */
  readonly resource: string
  readonly userAgent: string
}

export type Faults = (asked: Asked) => Fault | undefined

export function withFault(fault: Fault | undefined, act: () => Answer): Answer {
  if (fault === undefined) return act()
  if (fault.kind === 'refuse') throw fault.refusal
  if (fault.kind === 'delay') return { kind: 'later', millis: fault.millis, act }
  if (fault.kind === 'reset') {
    if (fault.when === 'after') act()
    return { kind: 'broken', why: 'read ECONNRESET' }
  }
  const answer = act()
  return answer.kind === 'stream' ? cutShort(answer, fault) : answer
}

function cutShort(
  stream: Stream,
  { after, how }: { readonly after: number; readonly how: 'break' | 'stall' },
): Stream {
  return {
    ...stream,
    start: (to) => {
      let left = after
      const send: Send = (chunk) => {
        if (left === 0) return true
        left -= 1
        const taken = to.send(chunk)
        if (left === 0 && how === 'break') to.end(new Error('read ECONNRESET'))
        return taken
      }
      if (left === 0 && how === 'break') to.end(new Error('read ECONNRESET'))
      return stream.start({ ...to, send })
    },
  }
}
