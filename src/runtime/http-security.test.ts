import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { httpRequest } from '../../test/http-request.ts'
import { isLoopback, pageHeaders, refuseForeignHost } from './http-security.ts'

void describe('a request for another host', () => {
  each(
    [
      { name: 'localhost is ours', host: 'localhost:8088', ok: true },
      { name: '127.0.0.1 is ours', host: '127.0.0.1:8088', ok: true },
      { name: 'so is all of 127', host: '127.1.2.3', ok: true },
      { name: '::1 is ours', host: '[::1]:8088', ok: true },
      { name: 'names below localhost are ours', host: 'mbcas.localhost:8088', ok: true },
      { name: 'a name that leads to us is not', host: 'evil.example:8088', ok: false },
      { name: 'nor one that looks like ours', host: '127.0.0.1.evil.example', ok: false },
      { name: 'nor localhost of somebody', host: 'localhost.evil.example', ok: false },
      { name: 'nor none', host: '', ok: false },
    ],
    ({ host, ok }) => {
      const reply = refuseForeignHost(httpRequest({ headers: { host } }))
      assert.equal(reply?.status, ok ? undefined : 421)
    },
  )
})

void test('only loopback addresses are taken for such', () => {
  assert.deepEqual(
    ['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::', '10.0.0.1', '127.evil'].map(isLoopback),
    [true, true, true, false, false, false, false],
  )
})

void test('a page loads nothing from elsewhere, runs nothing inline, and is in no frame', () => {
  const policy = pageHeaders['content-security-policy'] ?? ''
  assert.match(policy, /^default-src 'self';/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe|https?:|\*/)
})
