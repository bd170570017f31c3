/** Asks the agent of a node for its state, over HTTP. */
import type { NodePlace, NodeViews } from '../../ports/node-views.ts'
import { causeOf, readBounded, wordsOf } from '../http-text.ts'
import { exchange } from '../kube/exchange.ts'
import { parseNodeView } from './parse.ts'

/** For the whole answer: a dashboard asks many, and none may hold up the others. */
const TIMEOUT_MILLIS = 2000
/** A full node of 110 pods answers 50 KB. */
const MOST_BYTES = 2 * 1024 * 1024
/** A node that is looked at is asked every second; the connections of others do not stay. */
const IDLE_MILLIS = 5000

export function openNodeViews({ timeoutMillis = TIMEOUT_MILLIS } = {}): NodeViews {
  const { Agent } = process.getBuiltinModule('node:http')
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MILLIS })
  const underWay = new Set<(error: Error) => void>()

  const ask = async (url: string, signal: AbortSignal): Promise<string> => {
    const { status, chunks, skip } = await exchange(
      { title: 'asking an agent', method: 'GET', path: '', pool: 'request', signal },
      {
        url,
        agent,
        headers: { Accept: 'application/json' },
        timeoutMillis,
        onSocket: () => {},
        underWay,
      },
    )
    if (status === 200) return readBounded(chunks, { mostBytes: MOST_BYTES })
    skip()
    const hint = status === 404 ? ' (an agent from before /state, or another server?)' : ''
    throw new Error(`expected 200, got ${status}${hint}`)
  }

  return {
    read: async (node, signal) => {
      const url = urlOf(node)
      try {
        const view = parseNodeView(await ask(url, signal))
        if (view.node === node.name) return view
        throw new Error(`it is the agent of node ${view.node}`)
      } catch (error) {
        const why = wordsOf(causeOf(error as Error))
        throw new Error(`asking the agent of node ${node.name} at ${url}: ${why}`, { cause: error })
      }
    },
    close: () => {
      for (const stop of underWay) stop(new Error('closed'))
      agent.destroy()
    },
  }
}

function urlOf({ name, host, port }: NodePlace): string {
  const refuse = (why: string) => new Error(`asking the agent of node ${name}: ${why}`)
  if (port === undefined) {
    throw refuse(
      'no NodeMarket tells its port; start mbcas agent on the node, with --listen on an address of it',
    )
  }
  if (host === undefined) throw refuse('the node tells no InternalIP')
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/state`
}
