import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { httpRequest } from '../../test/http-request.ts'
import { manualClock } from '../../test/manual-clock.ts'
import { openGate } from './http-access.ts'
import type { HttpReply } from './http-server.ts'

const token = 'correct-horse-battery'
const form = (fields: Readonly<Record<string, string>>) => String(new URLSearchParams(fields))

function scene() {
  const clock = manualClock()
  const gate = openGate({ by: 'token', token }, clock)
  const login = (fields: Readonly<Record<string, string>>, headers = {}): HttpReply | undefined =>
    gate(httpRequest({ method: 'POST', path: '/login', headers, body: form(fields) }))
  return { clock, gate, login }
}

const cookieOf = (reply: HttpReply | undefined): string =>
  reply?.headers?.['set-cookie']?.split(';')[0] ?? ''

void describe('access by a token', () => {
  void test('as a bearer', () => {
    const { gate } = scene()
    const ask = (authorization: string) => gate(httpRequest({ headers: { authorization } }))?.status
    assert.equal(ask(`Bearer ${token}`), undefined)
    assert.equal(ask(`bearer ${token}`), undefined)
    assert.deepEqual(
      ['Bearer wrong', 'Bearer ', `Basic ${token}`, `Bearer ${token}x`].map(ask),
      [401, 401, 401, 401],
    )
  })

  void test('a page is sent to the form, and a script is told what to do', () => {
    const { gate } = scene()
    const page = gate(httpRequest({ path: '/node/a', headers: { accept: 'text/html,*/*' } }))
    assert.deepEqual([page?.status, page?.headers?.['location']], [303, '/login?next=%2Fnode%2Fa'])
    const script = gate(httpRequest({ path: '/api/cluster' }))
    assert.deepEqual([script?.status, script?.headers?.['www-authenticate']], [401, 'Bearer'])
    assert.match(String(script?.body), /open \/login, or send Authorization: Bearer TOKEN/)
  })

  void test('the form leaves a cookie that only the browser reads, for half a day', async () => {
    const { clock, gate, login } = scene()
    const reply = login({ token, next: '/node/a' })
    assert.deepEqual([reply?.status, reply?.headers?.['location']], [303, '/node/a'])
    const set = reply?.headers?.['set-cookie'] ?? ''
    for (const word of ['HttpOnly', 'SameSite=Strict', 'Path=/', 'Max-Age=43200']) {
      assert.ok(set.includes(word), `${word} in ${set}`)
    }
    assert.ok(!set.includes(token) && !set.includes('Secure'))
    const cookie = `other=1; ${cookieOf(reply)}`
    const ask = () => gate(httpRequest({ headers: { cookie } }))?.status
    assert.equal(ask(), undefined)
    await clock.advance(12 * 3_600_000 - 1)
    assert.equal(ask(), undefined)
    await clock.advance(1)
    assert.equal(ask(), 401)
  })

  void test('behind TLS the cookie does not travel without it', () => {
    const { login } = scene()
    const reply = login({ token }, { 'x-forwarded-proto': 'https' })
    assert.match(reply?.headers?.['set-cookie'] ?? '', /; Secure$/)
  })

  void test('a cookie cannot be made, prolonged, or used with another token', () => {
    const { clock, gate, login } = scene()
    const cookie = cookieOf(login({ token }))
    const later = cookie.replace(/=(\d+)\./, (_, until: string) => `=${Number(until) + 1}.`)
    assert.notEqual(later, cookie)
    for (const forged of [later, 'mbcas-session=9999999999999.x', 'mbcas-session=']) {
      assert.equal(gate(httpRequest({ headers: { cookie: forged } }))?.status, 401)
    }
    const other = openGate({ by: 'token', token: 'another-token-is-set' }, clock)
    assert.equal(other(httpRequest({ headers: { cookie } }))?.status, 401)
  })

  void test('a wrong token gets the form again, and no cookie', () => {
    const reply = scene().login({ token: 'wrong', next: '/a' })
    assert.deepEqual([reply?.status, cookieOf(reply)], [401, ''])
    assert.match(String(reply?.body), /That is not the token/)
  })

  void test('a form of another page is refused', () => {
    const { login } = scene()
    const from = (origin: string) => login({ token }, { origin, host: 'localhost:8088' })?.status
    assert.deepEqual(
      ['http://localhost:8088', 'http://evil.example', 'null'].map(from),
      [303, 403, 403],
    )
  })

  each(
    [
      { name: 'a path of ours is kept', next: '/pod/a/b', to: '/pod/a/b' },
      { name: 'another host is not gone to', next: '//evil.example', to: '/' },
      { name: 'nor by a backslash', next: '/\\evil.example', to: '/' },
      { name: 'nor an address', next: 'https://evil.example', to: '/' },
      { name: 'nor two headers', next: '/a\r\nset-cookie: b', to: '/' },
    ],
    ({ next, to }) => assert.equal(scene().login({ token, next })?.headers?.['location'], to),
  )

  void test('what stands in the address is text in the form', () => {
    const { gate } = scene()
    const query = new URLSearchParams({ next: '/"><script>' })
    const page = gate(httpRequest({ path: '/login', query }))
    assert.deepEqual([page?.status, page?.type], [200, 'text/html; charset=utf-8'])
    assert.match(String(page?.body), /value="\/&quot;&gt;&lt;script&gt;"/)
    assert.equal(gate(httpRequest({ method: 'DELETE', path: '/login' }))?.status, 405)
  })
})

void describe('access by a proxy', () => {
  const gate = openGate({ by: 'proxy', header: 'X-Forwarded-User' }, manualClock())

  void test('who is named passes, and nobody else', () => {
    assert.equal(gate(httpRequest({ headers: { 'x-forwarded-user': 'ada' } })), undefined)
    for (const headers of [{}, { 'x-forwarded-user': ' ' }]) {
      const reply = gate(httpRequest({ headers }))
      assert.equal(reply?.status, 401)
      assert.match(String(reply?.body), /expected the header X-Forwarded-User/)
    }
  })
})

void test('without anything anybody passes', () => {
  assert.equal(openGate({ by: 'anybody' }, manualClock())(httpRequest({})), undefined)
})
