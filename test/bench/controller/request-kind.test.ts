import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../each.ts'
import { kindOf } from './request-kind.ts'

void describe('the kind of a request', () => {
  each(
    [
      ['GET', '/version', 'GET version'],
      ['GET', '/api/v1/nodes/node-0', 'GET nodes'],
      ['GET', '/api/v1/pods?watch=1', 'GET pods'],
      ['PATCH', '/api/v1/namespaces/default', 'PATCH namespaces'],
      ['PATCH', '/api/v1/namespaces/default/pods/web/resize?x=1', 'PATCH pods/resize'],
      ['POST', '/apis/apps/v1/namespaces/default/replicasets', 'POST replicasets'],
    ].map(([method = '', path = '', kind = '']) => ({ name: `${method} ${path}`, kind })),
    ({ name, kind }) => {
      const [method = '', path = ''] = name.split(' ')
      assert.equal(kindOf(method, path), kind)
    },
  )
})
