import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { pods } from '../../../test/kube-server.ts'
import { nodeResourceTopologies } from '../../apis/node-resource-topology.ts'
import { ApiError, isMissingType } from '../../ports/kube.ts'
import { type Asked, readJson } from './answers.ts'

const allocations = { ...pods, group: 'allocation.mbcas.io', plural: 'podallocations' }
const request = 'listing pods on https://s'

type Row = {
  readonly name: string
  readonly status: number
  readonly text: string
  readonly headers?: Record<string, string>
  readonly asked?: Partial<Asked>
  readonly says: string
  readonly is?: Partial<ApiError> & { readonly missingType?: boolean }
}

const answer = ({ status, text, headers = {} }: Omit<Row, 'name' | 'says'>) => ({
  status,
  headers,
  chunks: (async function* () {
    yield Buffer.from(text)
  })(),
})

const said = (status: object) => JSON.stringify({ kind: 'Status', ...status })

const rows: readonly Row[] = [
  {
    name: 'an object that is not there',
    status: 404,
    text: said({
      reason: 'NotFound',
      message: 'pods "a" not found',
      details: { name: 'a', kind: 'pods' },
    }),
    says: 'listing pods on https://s: 404 NotFound: pods "a" not found',
    is: { code: 404, reason: 'NotFound', said: 'pods "a" not found', missingType: false },
  },
  {
    name: 'a type of ours that is not there',
    status: 404,
    text: '404 page not found\n',
    asked: { resource: allocations },
    says: 'listing pods on https://s: 404 NotFound: the server could not find the requested resource; the resource type podallocations.allocation.mbcas.io is not installed: kubectl apply -f deploy/crds',
    is: { reason: 'NotFound', missingType: true },
  },
  {
    name: 'a type of Kubernetes that we define where nobody did',
    status: 404,
    text: '404 page not found\n',
    asked: { resource: nodeResourceTopologies },
    says: 'listing pods on https://s: 404 NotFound: the server could not find the requested resource; the resource type noderesourcetopologies.topology.node.k8s.io is not installed: kubectl apply -f deploy/crds',
    is: { missingType: true },
  },
  {
    name: 'a type that an old server does not have',
    status: 404,
    text: said({ reason: 'NotFound', message: 'the server could not find the requested resource' }),
    asked: { subresource: 'resize' },
    says: 'listing pods on https://s: 404 NotFound: the server could not find the requested resource; this server does not have pods/resize in v1: is it too old? MBCAS needs Kubernetes 1.33 or later (kubectl version)',
    is: { missingType: true },
  },
  {
    name: 'a type of somebody else that is not there',
    status: 404,
    text: '404 page not found\n',
    asked: { resource: { ...pods, group: 'karpenter.sh', plural: 'nodepools' } },
    says: 'listing pods on https://s: 404 NotFound: the server could not find the requested resource; the resource type nodepools.karpenter.sh is not installed on this server',
  },
  {
    name: 'an object that breaks a rule, with its causes',
    status: 422,
    text: said({
      reason: 'Invalid',
      message: 'Pod "a" is invalid',
      details: { causes: [{ reason: 'FieldValueInvalid', message: 'no', field: 'spec.x' }, {}] },
    }),
    says: 'listing pods on https://s: 422 Invalid: Pod "a" is invalid',
    is: {
      causes: [
        { reason: 'FieldValueInvalid', message: 'no', field: 'spec.x' },
        { reason: '', message: '' },
      ],
    },
  },
  {
    name: 'too many requests, with seconds to wait',
    status: 429,
    text: 'Too many requests, please try again later.',
    headers: { 'retry-after': '3' },
    says: 'listing pods on https://s: 429 TooManyRequests: Too many requests, please try again later.',
    is: { retryAfterSeconds: 3 },
  },
  {
    name: 'a time to wait until',
    status: 503,
    text: '<html>\n<b>no\n</html>',
    headers: {
      'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT',
      date: 'Thu, 01 Jan 2026 00:00:10 GMT',
    },
    says: 'listing pods on https://s: 503 ServiceUnavailable: <html> <b>no </html>',
    is: { retryAfterSeconds: 20 },
  },
  {
    name: 'a wait that stands in the status',
    status: 500,
    text: said({ reason: 'ServerTimeout', message: 'm', details: { retryAfterSeconds: 2 } }),
    says: 'listing pods on https://s: 500 ServerTimeout: m',
    is: { retryAfterSeconds: 2 },
  },
  {
    name: 'nothing but a code',
    status: 418,
    text: '',
    says: 'listing pods on https://s: 418 Unknown: the server gave no reason',
  },
]

void describe('adapters/kube: the server says no', () => {
  each(rows, async ({ says, is = {}, asked, ...row }) => {
    await assert.rejects(readJson(answer(row), { request, resource: pods, ...asked }), (error) => {
      assert.ok(error instanceof ApiError)
      assert.equal(error.message, says)
      const { missingType, ...fields } = is
      for (const [key, value] of Object.entries(fields)) {
        assert.deepEqual(error[key as keyof ApiError], value, key)
      }
      if (missingType !== undefined) assert.equal(isMissingType(error), missingType)
      return true
    })
  })

  void test('an answer that is not JSON is no answer', async () => {
    const page = {
      status: 200,
      text: '<html>log in</html>',
      headers: { 'content-type': 'text/html' },
    }
    await assert.rejects(
      readJson(answer(page), { request, resource: pods }),
      /ConnectionFailed: listing pods on https:\/\/s: expected JSON, got text\/html: <html>log in<\/html>; is this an API server\?$/,
    )
    assert.equal(await readJson(answer({ status: 200, text: 'ok' }), { request }), 'ok')
  })
})
