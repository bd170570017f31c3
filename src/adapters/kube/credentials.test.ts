import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { certificates } from '../../../test/certificates.ts'
import { each } from '../../../test/each.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { InvalidInput } from '../../core/errors.ts'
import type { User } from './config.ts'
import { createCredentials, type Identity } from './credentials.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-credentials-'))
after(() => rmSync(folder, { recursive: true }))

const user = (parts: Partial<User> = {}): User => ({
  name: 'user "u" of /x/config',
  certificate: undefined,
  secret: { kind: 'none' },
  impersonation: {},
  ...parts,
})

const tokenFile = join(folder, 'token')
const byFile = user({
  secret: { kind: 'token', token: { file: tokenFile, name: 'the token of user "u"' } },
})
const bearer = ({ headers }: Identity) => headers['Authorization']

/** Prints token-1, token-2, ...; each lives until `expires`, or for ever. */
function countingPlugin(name: string, { expires }: { readonly expires?: string } = {}): User {
  const [command, count] = [join(folder, name), join(folder, `${name}.count`)]
  const end = expires === undefined ? '' : `,"expirationTimestamp":"${expires}"`
  writeFileSync(count, '')
  writeFileSync(
    command,
    `#!/bin/sh
    printf x >>${count}
    n=$(wc -c <${count})
    echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"token-'$n'"${end}}}'`,
    { mode: 0o755 },
  )
  const plugin = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command,
    args: [],
    env: {},
    installHint: undefined,
    interactiveMode: 'Never' as const,
    cluster: undefined,
  }
  return user({ secret: { kind: 'exec', plugin } })
}

void describe('adapters/kube: credentials', () => {
  void test('a token file is read again after a minute, and at once after a 401', async () => {
    const clock = manualClock()
    const credentials = createCredentials(byFile, clock)
    writeFileSync(tokenFile, 'one\n')
    const first = await credentials.identity()
    assert.equal(bearer(first), 'Bearer one')
    writeFileSync(tokenFile, 'two\n')
    await clock.advance(59_000)
    assert.equal(bearer(await credentials.identity()), 'Bearer one')
    await clock.advance(1000)
    assert.equal(bearer(await credentials.identity()), 'Bearer two')
    writeFileSync(tokenFile, 'three\n')
    assert.equal(await credentials.renew(first), true)
    const third = await credentials.identity()
    assert.equal(bearer(third), 'Bearer three')
    assert.equal(await credentials.renew(third), false)
  })

  void test('a token file that vanishes later keeps its last token; one that was never there says so', async () => {
    const clock = manualClock()
    const credentials = createCredentials(byFile, clock)
    writeFileSync(tokenFile, 'one\n')
    await credentials.identity()
    rmSync(tokenFile)
    await clock.advance(120_000)
    assert.equal(bearer(await credentials.identity()), 'Bearer one')
    await assert.rejects(
      createCredentials(byFile, clock).identity(),
      /^Error: the token of user "u": reading .*token: there is no such file; check the path, and that uid \d+ may read it$/,
    )
    writeFileSync(tokenFile, '\n')
    await assert.rejects(
      createCredentials(byFile, clock).identity(),
      /token is empty; write it again, or name another file$/,
    )
  })

  void test('a plugin runs once for all who wait, and again a minute before its token ends', async () => {
    const clock = manualClock({ wall: Date.UTC(2026, 0, 1) })
    const plugin = countingPlugin('ten-minutes', { expires: '2026-01-01T00:10:00Z' })
    const credentials = createCredentials(plugin, clock)
    const all = await Promise.all([1, 2, 3].map(async () => credentials.identity()))
    assert.deepEqual(all.map(bearer), ['Bearer token-1', 'Bearer token-1', 'Bearer token-1'])
    await clock.advance(8.9 * 60_000)
    assert.equal(bearer(await credentials.identity()), 'Bearer token-1')
    await clock.advance(0.2 * 60_000)
    assert.equal(bearer(await credentials.identity()), 'Bearer token-2')
  })

  void test('after a 401 a plugin runs again, but not again and again', async () => {
    const clock = manualClock()
    const credentials = createCredentials(countingPlugin('for-ever'), clock)
    const first = await credentials.identity()
    await clock.advance(20_000)
    const renewed = await Promise.all([1, 2, 3].map(async () => credentials.renew(first)))
    assert.deepEqual(renewed, [true, true, true])
    const second = await credentials.identity()
    assert.equal(bearer(second), 'Bearer token-2')
    assert.equal(await credentials.renew(second), false)
    assert.equal(readFileSync(join(folder, 'for-ever.count'), 'utf8'), 'xx')
  })

  each(
    [
      {
        name: 'a token of two lines is refused, and not told',
        is: user({ secret: { kind: 'token', token: { text: 'secret\nx: y', name: 'token' } } }),
        says: /^reading the token of user "u" of \/x\/config: expected one line/,
      },
      {
        name: 'a name that no header can have is refused with its header',
        is: user({ impersonation: { 'Impersonate-User': 'Zoë \u2603' } }),
        says: /^reading what is sent as Impersonate-User of user "u"/,
      },
      {
        name: 'so is one of several groups',
        is: user({ impersonation: { 'Impersonate-Group': ['a', 'b\r\nc: d'] } }),
        says: /^reading what is sent as Impersonate-Group of user "u"/,
      },
    ],
    async ({ is, says }) => {
      const refused = createCredentials(is, manualClock()).identity()
      await assert.rejects(refused, (error: Error) => {
        assert.match(error.message, says)
        assert.doesNotMatch(error.message, /secret/)
        return error instanceof InvalidInput
      })
    },
  )

  void test('passwords and impersonation are headers', async () => {
    const secret = { kind: 'password', username: 'me', password: 'pä' } as const
    const one = user({ secret, impersonation: { 'Impersonate-User': 'alice' } })
    assert.deepEqual((await createCredentials(one, manualClock()).identity()).headers, {
      'Impersonate-User': 'alice',
      Authorization: `Basic ${Buffer.from('me:pä').toString('base64')}`,
    })
  })
})

const { client, expiredClient } = certificates()
const jwt = (exp: number) => `h.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.s`
const byToken = (text: string) =>
  user({ secret: { kind: 'token', token: { text, name: 'the token of user "u"' } } })
const byPair = (pair: typeof client) =>
  user({
    certificate: {
      certificate: { file: pair.certFile, name: 'client-certificate' },
      key: { file: pair.keyFile, name: 'client-key' },
    },
  })

void describe('adapters/kube: why a 401', () => {
  const rows: readonly { name: string; who: User; says: RegExp }[] = [
    {
      name: 'no credentials',
      who: user(),
      says: /^user "u" of \/x\/config has no credentials: give it a token/,
    },
    {
      name: 'a token',
      who: byToken('abc'),
      says: /^the token of user "u" is expired or wrong: put a new one there$/,
    },
    {
      name: 'a token that says when it ended',
      who: byToken(jwt(Date.UTC(2025, 0, 1) / 1000)),
      says: /^the token of user "u" expired on 2025-01-01T00:00:00\.000Z: put a new one there$/,
    },
    { name: 'a token that has not ended', who: byToken(jwt(9e9)), says: /is expired or wrong/ },
    {
      name: 'a token file',
      who: byFile,
      says: /^the token of user "u" \(.*token\) is expired or wrong/,
    },
    {
      name: 'a password',
      who: user({ secret: { kind: 'password', username: 'a', password: 'b' } }),
      says: /^the username or password of user "u" of \/x\/config is wrong, or this server takes none/,
    },
    {
      name: 'a plugin',
      who: countingPlugin('cloud'),
      says: /^the exec plugin .*cloud of user "u" of \/x\/config gives credentials that are refused: log in/,
    },
    {
      name: 'a client certificate that has ended',
      who: byPair(expiredClient),
      says: /^the client certificate of user "u" of \/x\/config \(.*expired-client\.crt\) expired on 20.*Z: renew it$/,
    },
    {
      name: 'a client certificate of another cluster',
      who: byPair(client),
      says: /\(.*client\.crt\), O=mbcas, CN=client, is not signed by the CA that this server trusts for clients/,
    },
  ]
  each(rows, async ({ who, says }) => {
    writeFileSync(tokenFile, 'abc')
    const now = who.certificate === undefined ? Date.UTC(2026, 0, 1) : Date.now()
    const credentials = createCredentials(who, manualClock({ wall: now }))
    assert.match(credentials.whyRefused(await credentials.identity()), says)
  })
})
