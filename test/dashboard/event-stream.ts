/** For tests: what a browser's EventSource does, by hand, so that a test can wait for an event. */
import assert from 'node:assert/strict'
import http from 'node:http'

import { patienceMillis } from '../until.ts'

export type StreamEvent = {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

export type EventStream = {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  /** The next event that is so; those before it are passed over. */
  readonly next: (isWanted?: (event: StreamEvent) => boolean) => Promise<StreamEvent>
  /** Resolves when the server ends it. */
  readonly ended: Promise<void>
  readonly close: () => void
}

export async function openEventStream(
  url: string,
  headers: http.OutgoingHttpHeaders = {},
): Promise<EventStream> {
  const request = http.get(url, { headers, agent: false })
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
  })
  const events: StreamEvent[] = []
  let wake = () => {}
  let text = ''
  response.setEncoding('utf8')
  response.on('data', (part: string) => {
    text += part
    const whole = text.split('\n\n')
    text = whole.pop() ?? ''
    events.push(...whole.flatMap(parse))
    wake()
  })
  response.on('error', () => {})
  const ended = new Promise<void>((resolve) => response.once('close', () => resolve()))
  void ended.then(() => wake())

  const next: EventStream['next'] = async (isWanted = () => true) => {
    const deadline = Date.now() + patienceMillis
    for (;;) {
      const at = events.findIndex(isWanted)
      const [found] = at === -1 ? [] : events.splice(0, at + 1).slice(at)
      if (found !== undefined) return found
      assert.ok(Date.now() < deadline, `no such event within ${patienceMillis} ms`)
      assert.ok(!response.destroyed, 'the stream has ended')
      const timer = setTimeout(() => wake(), deadline - Date.now())
      await new Promise<void>((resolve) => (wake = resolve))
      clearTimeout(timer)
    }
  }

  const { statusCode: status = 0 } = response
  return { status, headers: response.headers, next, ended, close: () => request.destroy() }
}

/** Comments are none. */
function parse(text: string): StreamEvent[] {
  const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(text) ?? []
  if (event === undefined || data === undefined) return []
  return [{ event, data: JSON.parse(data) as StreamEvent['data'] }]
}
