import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test, type TestContext } from 'node:test'

import { nodeView } from '../../../test/dashboard/standings.ts'
import { each } from '../../../test/each.ts'
import { openNodeViews } from './node-views.ts'

const { signal } = new AbortController()

/** Answers every request so; undefined never does. */
async function agentThat(
  context: TestContext,
  answer: { readonly status?: number; readonly body: string } | undefined,
) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (answer === undefined) return
    response.writeHead(answer.status ?? 200).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const views = openNodeViews({ timeoutMillis: answer === undefined ? 300 : 60_000 })
  context.after(() => {
    views.close()
    server.closeAllConnections()
    server.close()
  })
  const read = async (name = 'n1') => views.read({ name, host: '127.0.0.1', port }, signal)
  return { read, asked, port, views }
}

void describe('asking an agent', () => {
  void test('gives what it knows', async (context) => {
    const { read, asked } = await agentThat(context, { body: JSON.stringify(nodeView()) })
    assert.deepEqual(await read(), nodeView())
    assert.deepEqual(asked, ['/state'])
  })

  const rows = [
    {
      name: 'an agent of another node is not believed',
      answer: { body: JSON.stringify(nodeView({ node: 'n2' })) },
      says: /it is the agent of node n2$/,
    },
    {
      name: 'nor one that says no',
      answer: { status: 500, body: '' },
      says: /expected 200, got 500$/,
    },
    {
      name: 'nor one that knows no such path',
      answer: { status: 404, body: '' },
      says: /got 404 \(an agent from before \/state, or another server\?\)$/,
    },
    {
      name: 'nor one that is no agent',
      answer: { body: '{}' },
      says: /expected at most 1000 pods/,
    },
    {
      name: 'nor one that talks without end',
      answer: { body: 'x'.repeat(2 * 1024 * 1024 + 1) },
      says: /expected at most 2097152 bytes$/,
    },
    {
      name: 'one that is silent is not waited for',
      answer: undefined,
      says: /no answer within 0.3 s$/,
    },
  ]
  for (const { name, answer, says } of rows) {
    void test(name, async (context) => {
      const { read, port } = await agentThat(context, answer)
      await assert.rejects(read(), ({ message }: Error) => {
        const who = `asking the agent of node n1 at http://127.0.0.1:${port}/state: `
        assert.ok(message.startsWith(who), message)
        assert.match(message, says)
        return true
      })
    })
  }

  each(
    [
      {
        name: 'a node without a NodeMarket has no known agent',
        place: { name: 'n1', host: '10.0.0.1', port: undefined },
        says: 'asking the agent of node n1: no NodeMarket tells its port; start mbcas agent on the node, with --listen on an address of it',
      },
      {
        name: 'nor one without an address',
        place: { name: 'n1', host: undefined, port: 8082 },
        says: 'asking the agent of node n1: the node tells no InternalIP',
      },
    ],
    async ({ place, says }) => {
      await assert.rejects(openNodeViews().read(place, signal), { message: says })
    },
  )
})
