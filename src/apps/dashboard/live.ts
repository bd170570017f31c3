/**
 * Live views as server-sent events. All who look at one thing share a channel: it is read once a turn,
 * and what changed is written once. Whoever comes gets the whole first, and so does who comes again.
 */
import type { Clock } from '../../ports/clock.ts'
import type { HttpReply, StreamOut } from '../../runtime/http-server.ts'
import { allTime, type Range } from './record.ts'

/** One thing to look at. */
export type Source<V extends { readonly at: number }> = {
  /** Undefined while there is none. */
  readonly read: (range: Range) => V | undefined
  /** `now` has only the new part of the history; `whole`: it takes a new view. */
  readonly patch: (before: V, now: V) => object | 'whole' | undefined
  /** Of the last point of its history. */
  readonly newestAt: (view: V) => number | undefined
}

export type Live = {
  /** Undefined where too many look already. */
  readonly open: <V extends { readonly at: number }>(
    name: string,
    source: Source<V>,
    range: Range,
  ) => HttpReply | undefined
  /** Tells all who look what changed. */
  readonly turn: () => void
  /** What is looked at. */
  readonly names: () => readonly string[]
  /** Ends all streams. */
  readonly close: () => void
}

type Channel = {
  readonly join: (out: StreamOut, range: Range) => void
  readonly turn: () => void
  readonly outs: Map<StreamOut, Range>
}

const MOST_STREAMS = 200
/** Who has not taken so much is not there any more, or cannot keep up. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024
const SILENT_MILLIS = 5000

const head = {
  type: 'text/event-stream',
  // Proxies that collect answers would hold back what is new.
  headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
}

export function createLive(pace: Pick<Clock, 'now'>): Live {
  const channels = new Map<string, Channel>()
  const streams = (): number => [...channels.values()].reduce((all, { outs }) => all + outs.size, 0)

  return {
    open: (name, source, range) => {
      if (streams() >= MOST_STREAMS) return undefined
      const body = (out: StreamOut): void => {
        const channel = channels.get(name) ?? openChannel(source, pace)
        channels.set(name, channel)
        out.onClose(() => {
          channel.outs.delete(out)
          if (channel.outs.size === 0 && channels.get(name) === channel) channels.delete(name)
        })
        channel.join(out, range)
      }
      return { ...head, body }
    },
    turn: () => {
      for (const { turn } of channels.values()) turn()
    },
    names: () => [...channels.keys()],
    close: () => {
      for (const { outs } of channels.values()) for (const out of outs.keys()) out.end()
    },
  }
}

function openChannel<V extends { readonly at: number }>(
  source: Source<V>,
  pace: Pick<Clock, 'now'>,
): Channel {
  const outs: Channel['outs'] = new Map()
  let before: V | undefined
  let toldAt = allTime.from - 1
  let spokeAt = pace.now()
  let at = 0

  const tell = (event: string, value: object): void => {
    const text = frame(event, value)
    spokeAt = pace.now()
    for (const out of outs.keys()) write(out, text)
  }
  const beat = (): void => {
    if (pace.now() - spokeAt >= SILENT_MILLIS) tell('beat', { at })
  }
  const tellWhole = (out: StreamOut, range: Range): void => {
    const whole = source.read(range)
    if (whole !== undefined) write(out, frame('view', whole))
  }

  const turn = (): void => {
    const now = source.read({ ...allTime, from: toldAt + 1 })
    const last = before
    before = now
    if (now === undefined) {
      if (last !== undefined) tell('gone', { at: last.at })
      else beat()
      return
    }
    at = now.at
    toldAt = Math.max(toldAt, source.newestAt(now) ?? toldAt)
    const patch = last === undefined ? 'whole' : source.patch(last, now)
    if (patch === 'whole') for (const [out, range] of outs) tellWhole(out, range)
    else if (patch !== undefined) tell('patch', patch)
    else beat()
  }

  return {
    outs,
    turn,
    join: (out, range) => {
      turn() // so that what comes next is what is new for all
      outs.set(out, range)
      if (before === undefined) out.write(': nothing is known yet\n\n')
      else tellWhole(out, range)
    },
  }
}

function write(out: StreamOut, text: string): void {
  if (out.waitingBytes() > MOST_WAITING_BYTES) out.cut()
  else out.write(text)
}

const frame = (event: string, value: object): string =>
  `event: ${event}\ndata: ${JSON.stringify(value)}\n\n`
