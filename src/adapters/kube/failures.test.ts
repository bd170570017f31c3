import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { describe, test } from 'node:test'

import { certificates, type Pair } from '../../../test/certificates.ts'
import { each } from '../../../test/each.ts'
import { configFor, kubeServer, messageOf, pods, sendJson } from '../../../test/kube-server.ts'
import { createKube } from './client.ts'
import type { KubeConfig, User } from './config.ts'

const made = certificates()
const fromFile = (file: string, name = 'the CA') => ({ file, name })
const byPair = (cert: Pair, key = cert): User => ({
  name: 'user "u" of /x/config',
  certificate: {
    certificate: fromFile(cert.certFile, 'client-certificate'),
    key: fromFile(key.keyFile, 'client-key'),
  },
  secret: { kind: 'none' },
  impersonation: {},
})

type Row = {
  readonly name: string
  readonly server?: Pair
  readonly demands?: boolean
  readonly config?: Partial<KubeConfig>
  readonly says: RegExp | undefined
}

const rows: readonly Row[] = [
  { name: 'all is well', says: undefined },
  {
    name: 'an expired certificate of the server',
    server: made.expiredServer,
    says: /its certificate, of "expired-server" by "test-ca", expired on 20\d\d-.*Z: renew the API server's certificate .*, or check this machine's clock$/,
  },
  {
    name: 'a CA that did not sign it',
    config: { ca: fromFile(made.otherCa.certFile) },
    says: /its certificate, of "server" by "test-ca", is not signed by the CA in .*other-ca\.crt \(.*\): is this the server of cluster "test" of \/x\/config\? If so, give its CA as certificate-authority$/,
  },
  {
    name: 'no CA',
    config: { ca: undefined },
    says: /is not signed by a CA that this machine knows \(.*\): give the cluster's CA as certificate-authority of cluster "test" of \/x\/config$/,
  },
  {
    name: 'another name',
    server: made.serverElsewhere,
    says: /its certificate is for kubernetes\.default, not for 127\.0\.0\.1: set tls-server-name: kubernetes\.default in cluster "test" of \/x\/config, or use an address that it is for$/,
  },
  {
    name: 'another name that is told',
    server: made.serverElsewhere,
    config: { serverName: 'kubernetes.default' },
    says: undefined,
  },
  {
    name: 'a name that is told and wrong',
    config: { serverName: 'example.com' },
    says: /its certificate is for kubernetes\.default, localhost, 127\.0\.0\.1, not for example\.com/,
  },
  {
    name: 'verification off',
    server: made.serverOfOtherCa,
    config: { insecure: true, ca: undefined },
    says: undefined,
  },
  {
    name: 'a client certificate',
    demands: true,
    config: { user: byPair(made.client) },
    says: undefined,
  },
  {
    name: 'a key of another certificate',
    config: { user: byPair(made.client, made.server) },
    says: /reading the client certificate and key of user "u" of \/x\/config: the key is not of this certificate$/,
  },
]

const quick = { retries: { attempts: 1 } }

void describe('adapters/kube: how a failed connection reads', () => {
  each(rows, async ({ server: pair = made.server, demands = false, config, says }) => {
    const { cert, key } = pair
    const server = await kubeServer((_, response) => sendJson(response, { items: [] }), {
      cert,
      key,
      rejectUnauthorized: demands,
    })
    const kube = createKube(configFor(server.url, config), quick)
    try {
      if (says === undefined) await kube.list(pods)
      else {
        const message = await messageOf(kube.list(pods))
        assert.ok(message.startsWith(`listing pods on ${server.url}: `), message)
        assert.match(message, says)
        assert.equal(server.seen.length, 0)
      }
    } finally {
      kube.close()
      await server.close()
    }
  })

  void test('nobody listens', async () => {
    const server = await kubeServer(() => {})
    await server.close()
    const kube = createKube(configFor(server.url), quick)
    assert.equal(
      await messageOf(kube.list(pods)),
      `listing pods on ${server.url}: connection refused: is the API server running? the address is from cluster "test" of /x/config`,
    )
  })

  void test('it does not speak TLS', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const kube = createKube(configFor(`https://127.0.0.1:${port}`), quick)
    assert.match(
      await messageOf(kube.list(pods)),
      /: it does not speak TLS \(.*\): is the port right, or should the server of cluster "test" .* start with http:\/\/\?/,
    )
    server.close()
  })

  void test('a proxy that demands client certificates and refuses ours', async () => {
    const { server: pair, ca, expiredClient } = made
    const files = ['-cert', pair.certFile, '-key', pair.keyFile, '-CAfile', ca.certFile]
    const verify = ['-Verify', '1', '-verify_return_error', '-naccept', '1']
    const child = spawn('openssl', ['s_server', '-accept', '127.0.0.1:0', ...files, ...verify])
    const port = await new Promise<string>((resolve) => {
      let said = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
        const found = /ACCEPT 127\.0\.0\.1:(\d+)/.exec(said)?.[1]
        if (found !== undefined) resolve(found)
      })
    })
    const config = { user: byPair(expiredClient) }
    const kube = createKube(configFor(`https://127.0.0.1:${port}`, config), quick)
    try {
      assert.match(
        await messageOf(kube.list(pods)),
        /: the client certificate of user "u" of \/x\/config \(.*expired-client\.crt\) expired on 20.*Z: renew it$/,
      )
    } finally {
      kube.close()
      child.kill()
    }
  })

  void test('the environment cannot turn verification off', async (t) => {
    t.mock.method(process, 'emitWarning', () => {})
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    const server = await kubeServer(
      (_, response) => sendJson(response, { items: [] }),
      made.serverOfOtherCa,
    )
    const kube = createKube(configFor(server.url), quick)
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    try {
      assert.match(await messageOf(kube.list(pods)), /is not signed by the CA/)
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
      kube.close()
      await server.close()
    }
  })
})
