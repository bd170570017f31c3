/** What the agent's process makes of its configuration file: whom it asks for latency, and what it refuses. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'

import { startMbcas } from '../background.ts'
import {
  allSay,
  cgroups,
  configFor as kubeconfigFor,
  healthy,
  listen,
  type Row,
} from '../complaint.ts'
import { each } from '../each.ts'
import { type Answer, kubeServer, pod, sendJson } from '../kube-server.ts'
import { folder, save } from '../kubeconfigs.ts'

type Question = { readonly path: string; readonly query: string | null }

/** A cluster of one pod. */
const withPod: Answer = (request, response) => {
  const web = { ...pod('web'), spec: { containers: [] } }
  if (!request.path.endsWith('/pods') || request.query.has('watch')) healthy(request, response)
  else sendJson(response, { metadata: { resourceVersion: '1' }, items: [web] })
}

/** What a Prometheus is asked first by an agent whose configuration knows its address. */
async function firstQuestion(configFor: (url: string) => string): Promise<Question> {
  const prometheus = createServer()
  await new Promise<void>((resolve) => prometheus.listen(0, '127.0.0.1', resolve))
  const { port } = prometheus.address() as AddressInfo
  const kube = await kubeServer(withPod)
  const files = {
    '--kubeconfig': kubeconfigFor(kube),
    '--config': save(configFor(`http://127.0.0.1:${port}`), 'asking.yaml'),
    '--cgroup-mount': cgroups,
  }
  const agent = startMbcas('agent', '--node', 'n', ...listen, ...Object.entries(files).flat())
  const ended = agent.ended.then((code): never => assert.fail(`it ended: ${code}, ${agent.said()}`))
  try {
    const asked = once(prometheus, 'request') as Promise<[IncomingMessage, ServerResponse]>
    const [request, response] = await Promise.race([asked, ended])
    const form = new URLSearchParams(await text(request))
    response.writeHead(503).end()
    return { path: request.url ?? '', query: form.get('query') }
  } finally {
    ended.catch(() => undefined)
    await agent.stop()
    await kube.close()
    prometheus.closeAllConnections()
    prometheus.close()
  }
}

void describe('latency', () => {
  void test('is asked of prometheusURL', { timeout: 300_000 }, async () => {
    const { path, query } = await firstQuestion((url) => `prometheusURL: ${url}`)
    assert.equal(path, '/api/v1/query')
    assert.match(query ?? '', /^histogram_quantile\(0\.99, .*\{namespace=~"default",pod=~"web"\}/)
  })

  void test('is asked for by latencyQuery', { timeout: 300_000 }, async () => {
    const { path, query } = await firstQuestion(
      (url) => `prometheusURL: ${url}/metrics\nlatencyQuery: p99{pod=~"$pod"}`,
    )
    assert.equal(path, '/metrics/api/v1/query')
    assert.equal(query, 'p99{pod=~"web"}')
  })
})

void describe('a configuration that cannot be used', () => {
  const rows: readonly (Row & { readonly yaml?: string; readonly isHost?: true })[] = [
    {
      name: 'is not there',
      says: /^reading .*no-agent\.yaml: there is no such file/,
    },
    {
      name: 'is not YAML',
      yaml: 'alphaUp: [',
      says: /agent\.yaml: .* at line 1, column/,
    },
    {
      name: 'is no object',
      yaml: '- alphaUp: 1',
      says: /agent\.yaml: expected an object of keys and values, got a list$/,
    },
    {
      name: 'has an unknown key: the nearest known one is named',
      yaml: 'samplingIntervall: 1s',
      says: /agent\.yaml: unknown key "samplingIntervall"; did you mean "samplingInterval"\?$/,
    },
    {
      name: 'has a value out of range',
      yaml: 'samplingInterval: 10s',
      says: /agent\.yaml: expected samplingInterval to be a duration from 100ms to 1s, got "10s"$/,
    },
    {
      name: 'has several faults: each is told',
      yaml: 'alphaUp: 2\nenableBust: true',
      says: /expected alphaUp to be a number from 0\.001 to 1, got 2\n.*unknown key "enableBust"; did you mean "enableBurst"\?$/,
    },
    {
      name: 'is of a host, and has an unknown key in a group',
      isHost: true,
      yaml: 'groups: [{ path: a, flor: 100m }]',
      says: /group 1: .*unknown key "flor"; did you mean "floor"\?/,
    },
    {
      name: 'is of a host, and has a key that only clusters have',
      isHost: true,
      yaml: 'groups: [{ path: a, floor: 100m }]\nsystemReservePercent: 10',
      says: /unknown key "systemReservePercent"/,
    },
  ]
  each(rows, async ({ yaml, isHost = false, says }) => {
    const file = yaml === undefined ? join(folder, 'no-agent.yaml') : save(yaml, 'agent.yaml')
    await allSay(says, ['--config', file, ...(isHost ? ['--host'] : [])], ['agent'])
  })
})
