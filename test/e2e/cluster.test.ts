/** `mbcas cluster` from outside: it serves, survives whatever it is asked, and ends in order. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type OutgoingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect } from 'node:tls'

import { parse } from 'yaml'

import { createKube, type KubeClient } from '../../src/adapters/kube/client.ts'
import { loadConfig } from '../../src/adapters/kube/load-config.ts'
import { ApiError } from '../../src/ports/kube.ts'
import { configMap, configMaps } from '../chaos/watching.ts'
import { kubectlOf } from '../contracts/run-kubectl.ts'
import { each } from '../each.ts'
import { type Embedded, startEmbedded } from '../embedded.ts'
import { pathOf, real, skipUnless } from '../real.ts'
import { run } from '../run.ts'
import { until } from '../until.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-cluster-test-'))
after(() => rmSync(folder, { recursive: true }))

type Kubeconfig = {
  readonly users: readonly [{ readonly user: { readonly token: string } }]
  readonly clusters: readonly [{ readonly cluster: Readonly<Record<string, string>> }]
}

/** How to reach it without a client of ours. */
function accessTo({ url, kubeconfig }: Embedded) {
  const { users, clusters } = parse(readFileSync(kubeconfig, 'utf8')) as Kubeconfig
  const authority = clusters[0].cluster['certificate-authority-data'] ?? ''
  const { port } = new URL(url)
  return { port: Number(port), token: users[0].user.token, ca: Buffer.from(authority, 'base64') }
}

type Asked = {
  readonly method?: string
  readonly path: string
  readonly body?: string | Buffer
  readonly headers?: OutgoingHttpHeaders
}

async function ask(cluster: Embedded, { method = 'GET', path, body, headers }: Asked) {
  const { port, token, ca } = accessTo(cluster)
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const authorization = `Bearer ${token}`
    const options = { port, host: '127.0.0.1', method, path, ca, agent: false }
    const outgoing = request(
      { ...options, headers: { authorization, 'content-type': 'application/json', ...headers } },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => (text += part))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
        response.on('error', reject)
      },
    )
    outgoing.on('error', reject).end(body)
  })
}

/** Resolves when nobody listens there. */
const refused = async (port: number) =>
  new Promise<string>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    socket.on('secureConnect', () => {
      socket.destroy()
      resolve('connected')
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
  })

const configMapsPath = '/api/v1/namespaces/default/configmaps'

void describe('mbcas cluster', () => {
  let cluster: Embedded
  let kube: KubeClient
  before(async () => {
    cluster = await startEmbedded('--nodes', '2', '--cpus', '2')
    kube = createKube(await loadConfig({ kubeconfig: cluster.kubeconfig, env: {} }))
  })
  after(async () => {
    kube.close()
    await cluster.stop()
  })

  void test('says that it is ready, and how to use it', () => {
    assert.match(cluster.said[0] ?? '', /^ready: https:\/\/127\.0\.0\.1:\d+$/)
    assert.equal(cluster.said[1], `export KUBECONFIG=${cluster.kubeconfig}`)
  })

  void test('writes a kubeconfig that is its own, and that only its user may read', () => {
    assert.equal(statSync(cluster.kubeconfig).mode & 0o777, 0o600)
    assert.match(readFileSync(cluster.kubeconfig, 'utf8'), /^# Written by `mbcas cluster`/)
  })

  void test('serves our own client', async () => {
    await kube.create(configMaps, configMap('ours', '1'))
    const read = await kube.get(configMaps, { namespace: 'default', name: 'ours' })
    assert.equal(read.data?.['value'], '1')
  })

  void test('tells nothing without its token', async () => {
    const headers = { authorization: 'Bearer wrong' }
    const { status, body } = await ask(cluster, { path: configMapsPath, headers })
    assert.equal(status, 401)
    assert.equal((JSON.parse(body) as { reason: string }).reason, 'Unauthorized')
  })

  each(
    [
      { name: 'refuses half of a JSON object', path: configMapsPath, body: '{"kind"', status: 400 },
      { name: 'refuses a list', path: configMapsPath, body: '[]', status: 400 },
      { name: 'refuses null', path: configMapsPath, body: 'null', status: 400 },
      {
        name: 'refuses bytes that are no text',
        path: configMapsPath,
        body: '\xff\xfe',
        status: 400,
      },
      { name: 'refuses an empty body', path: configMapsPath, body: '', status: 400 },
      { name: 'refuses a path that nobody has', path: '/apis/none/v1/x', body: '{}', status: 404 },
      {
        name: 'refuses a broken escape',
        path: '/api/v1/namespaces/%zz/pods',
        body: '{}',
        status: 404,
      },
      { name: 'refuses another method', path: configMapsPath, method: 'PURGE', status: 405 },
      {
        name: 'refuses a limit in words',
        path: `${configMapsPath}?limit=x`,
        method: 'GET',
        status: 400,
      },
      {
        name: 'refuses more than 3 MiB',
        path: configMapsPath,
        body: 'x'.repeat(3 * 1024 * 1024 + 1),
        status: 413,
      },
    ],
    async ({ path, body, method = 'POST', status }) => {
      const answer = await ask(cluster, { method, path, ...(body !== undefined && { body }) })
      assert.equal(answer.status, status, answer.body)
      assert.ok((await ask(cluster, { path: '/readyz' })).status === 200)
    },
  )

  void test('survives those who do not end what they begin', async () => {
    const { port, token } = accessTo(cluster)
    const beginnings = [
      'nonsense\r\n\r\n',
      'GET / HTTP/1.1\r\n',
      `POST ${configMapsPath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 99\r\n\r\n{`,
      `GET ${configMapsPath}?watch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    ]
    for (const text of beginnings) {
      await new Promise<void>((resolve) => {
        const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
          socket.write(text, () => socket.destroy())
        })
        socket.on('error', () => {}).on('close', () => resolve())
      })
    }
    assert.equal((await ask(cluster, { path: '/readyz' })).status, 200)
    assert.deepEqual(cluster.said.slice(2), [])
  })

  void test('breaks what it is told to break, for whom, and heals', async () => {
    const planted = { faults: [{ kind: 'error', verbs: ['list'], userAgent: 'mbcas/' }] }
    const faults = async (method: string, body?: unknown) =>
      ask(cluster, { method, path: '/sim/faults', ...(body !== undefined && { body: text(body) }) })
    const text = (value: unknown) => JSON.stringify(value)
    assert.equal((await faults('PUT', planted)).status, 200)
    await assert.rejects(kube.list(configMaps), (error) => {
      assert.ok(error instanceof ApiError && error.code === 500)
      return true
    })
    assert.equal((await ask(cluster, { path: configMapsPath })).status, 200)
    assert.match((await faults('GET')).body, /"came":\{"error":1\}/)
    const wrong = await faults('PUT', { faults: [{ kind: 'eror' }] })
    assert.equal(wrong.status, 400)
    assert.match(wrong.body, /expected kind to be one of error/)
    await faults('DELETE')
    assert.ok((await kube.list(configMaps)).items.length > 0)
  })

  void test('works with kubectl', { skip: skipUnless(real.kubernetes) }, async () => {
    const binary = join(pathOf(real.kubernetes), 'kubectl')
    const kubectl = kubectlOf({ binary, kubeconfig: cluster.kubeconfig, cache: folder })
    await until('two nodes are ready', async () => {
      const { out } = await kubectl(['get', 'nodes', '--no-headers'])
      return out.match(/^node-\d +Ready /gm)?.length === 2
    })
    const file = join(folder, 'faults.json')
    writeFileSync(file, JSON.stringify({ faults: [{ kind: 'slow', resources: ['events'] }] }))
    await kubectl(['replace', '--raw', '/sim/faults', '-f', file])
    assert.match((await kubectl(['get', '--raw', '/sim/faults'])).out, /"kind":"slow"/)
    await kubectl(['delete', '--raw', '/sim/faults'])
    assert.match((await kubectl(['get', '--raw', '/sim/faults'])).out, /"faults":\[\]/)
  })
})

void describe('mbcas cluster ends', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    void test(`with 0 at ${signal}, though a client watches, and nobody listens then`, async () => {
      const cluster = await startEmbedded('--nodes', '1')
      const { port } = accessTo(cluster)
      const watching = ask(cluster, { path: `${configMapsPath}?watch=1` }).catch(() => 'broken')
      assert.equal((await ask(cluster, { path: '/readyz' })).status, 200)
      assert.equal(await cluster.stop(signal), 0)
      assert.equal(await refused(port), 'ECONNREFUSED')
      await watching
    })
  }

  void test('also when Ctrl-C is pressed twice', async () => {
    const cluster = await startEmbedded('--nodes', '1')
    process.kill(cluster.pid, 'SIGINT')
    assert.ok([0, 130].includes(Number(await cluster.stop('SIGINT'))))
  })

  void test('by itself after its duration: a day of three nodes', async () => {
    const flags = ['cluster', '--speed', 'max', '--duration', '24h', '--nodes', '3']
    const { code, stdout, stderr } = await run(process.execPath, ['dist/src/main.js', ...flags])
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.match(stdout, /\ndone: 86400 simulated seconds in /)
  })
})

void describe('time in mbcas cluster', () => {
  const nodes = async (cluster: Embedded) => {
    const { body } = await ask(cluster, { path: '/api/v1/nodes' })
    const { items } = JSON.parse(body) as {
      items: {
        metadata: { name: string }
        status: { conditions: { type: string; status: string }[] }
      }[]
    }
    return items.map(({ metadata, status }) => {
      const ready = status.conditions.find(({ type }) => type === 'Ready')
      return `${metadata.name} ${ready?.status}`
    })
  }

  void test('goes as fast as told: a node lost after a minute is not ready soon after', async () => {
    const scenario = join(folder, 'loss.yaml')
    writeFileSync(scenario, 'nodes: [{ count: 2 }]\nsteps: [{ at: 60s, loseNodes: [node-1] }]\n')
    const cluster = await startEmbedded('--scenario', scenario, '--speed', '100')
    try {
      await until('the lost node is not ready', async () =>
        (await nodes(cluster)).includes('node-1 Unknown'),
      )
      assert.ok((await nodes(cluster)).includes('node-0 True'))
    } finally {
      await cluster.stop()
    }
  })
})

void test('a cluster that starts again takes over the kubeconfig that it wrote', async () => {
  const kubeconfig = join(folder, 'again')
  const [first, second] = [
    await startEmbedded('--nodes', '1', '--kubeconfig', kubeconfig),
    await startEmbedded('--nodes', '1', '--kubeconfig', kubeconfig),
  ]
  try {
    assert.ok(readFileSync(kubeconfig, 'utf8').includes(second.url))
  } finally {
    await Promise.all([first.stop(), second.stop()])
  }
})
