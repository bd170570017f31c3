import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { certificates } from '../../../test/certificates.ts'
import { instantClock } from '../../../test/instant-clock.ts'
import {
  type Answer,
  answerPod,
  configFor,
  messageOf,
  pod,
  pods,
  sendJson,
  sendStatus,
  withKube,
} from '../../../test/kube-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-client-'))
after(() => rmSync(folder, { recursive: true }))

const a = { namespace: 'default', name: 'a' }
const fast = () => ({ clock: instantClock(), random: () => 0.5 })

void describe('adapters/kube: rotation', () => {
  const onlyToken =
    (token: () => string): Answer =>
    ({ headers }, response) =>
      headers.authorization === `Bearer ${token()}`
        ? sendJson(response, pod('a'))
        : sendStatus(response, 401, { reason: 'Unauthorized', message: 'Unauthorized' })

  void test('a token that was replaced is noticed at the 401, also by a create', async () => {
    const file = join(folder, 'token')
    writeFileSync(file, 'one')
    let good = 'one'
    const user = {
      ...configFor('').user,
      secret: { kind: 'token', token: { file, name: 'the token of the test' } },
    } as const
    await withKube(
      onlyToken(() => good),
      async (kube, { seen, url }) => {
        await kube.get(pods, a)
        writeFileSync(file, 'two')
        good = 'two'
        await kube.create(pods, pod('a'))
        assert.deepEqual(
          seen.map(({ method, headers }) => `${method} ${headers.authorization}`),
          ['GET Bearer one', 'POST Bearer one', 'POST Bearer two'],
        )
        good = 'three'
        assert.equal(
          await messageOf(kube.get(pods, a)),
          `getting pods default/a on ${url}: 401 Unauthorized: Unauthorized; the token of the test (${file}) is expired or wrong: put a new one there`,
        )
      },
      { config: { user } },
    )
  })

  void test('an unreadable token is told with the request', async () => {
    const user = {
      ...configFor('').user,
      secret: { kind: 'token', token: { file: folder, name: 'the token of the test' } },
    } as const
    await withKube(
      answerPod,
      async (kube, { url, seen }) => {
        const message = await messageOf(kube.get(pods, a))
        assert.ok(
          message.startsWith(
            `getting pods default/a on ${url}: the token of the test: reading ${folder}: it is a folder`,
          ),
          message,
        )
        assert.equal(seen.length, 0)
      },
      { config: { user } },
    )
  })

  void test('a CA that was replaced is noticed when the server is not trusted', async () => {
    const { ca, otherCa } = certificates()
    const file = join(folder, 'ca.crt')
    writeFileSync(file, otherCa.cert)
    await withKube(
      answerPod,
      async (kube, server) => {
        assert.match(await messageOf(kube.get(pods, a)), /is not signed by the CA in/)
        writeFileSync(file, ca.cert)
        assert.deepEqual(await kube.get(pods, a), pod('a'))
        assert.equal(server.seen.length, 1)
      },
      { config: { ca: { file, name: 'the CA' } } },
    )
  })

  void test('a client certificate that was replaced is used from the next connection on', async () => {
    const { client, server: other } = certificates()
    const [certFile, keyFile] = [join(folder, 'c.crt'), join(folder, 'c.key')]
    const save = (pair: typeof client) => {
      writeFileSync(certFile, pair.cert)
      writeFileSync(keyFile, pair.key)
    }
    save(client)
    const certificate = {
      certificate: { file: certFile, name: 'certificate' },
      key: { file: keyFile, name: 'key' },
    }
    const options = fast()
    await withKube(
      answerPod,
      async (kube, { seen }) => {
        await kube.get(pods, a)
        await kube.get(pods, a)
        save(other)
        options.clock.advance(60_000)
        await kube.get(pods, a)
        assert.deepEqual(
          seen.map((one) => one.client),
          ['client', 'client', 'server'],
        )
        assert.equal(kube.stats().connections, 2)
      },
      { config: { user: { ...configFor('').user, certificate } }, options },
    )
  })
})
