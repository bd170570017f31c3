import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../test/each.ts'
import { parseListen } from './listen.ts'

void describe('addresses to listen on', () => {
  each(
    [
      { name: 'a port of all addresses', text: ':8082', gives: { host: '0.0.0.0', port: 8082 } },
      { name: 'of one address', text: '127.0.0.1:0', gives: { host: '127.0.0.1', port: 0 } },
      { name: 'of an IPv6 address', text: '[::1]:80', gives: { host: '::1', port: 80 } },
    ],
    ({ text, gives }) => assert.deepEqual(parseListen(text), gives),
  )
  each(
    ['', '8082', 'localhost', ':70000', '::1:80', 'a:b'].map((text) => ({
      name: `${JSON.stringify(text)} is refused`,
      text,
    })),
    ({ text }) =>
      assert.throws(() => parseListen(text), /^InvalidInput: --listen: expected an addr/),
  )
})
