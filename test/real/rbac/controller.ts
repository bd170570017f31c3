/** What the controller may change of a pod: its note of original values, and its CPU. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { originalAnnotation } from '../../../src/apis/names.ts'
import { pods } from '../../../src/apis/pod.ts'
import { each } from '../../each.ts'
import { until } from '../../until.ts'
import { refusalOf } from '../accounts.ts'
import { idle, podOf } from '../real-pods.ts'
import { assertRefused, dryRun, type RbacStage } from './stage.ts'

export function describeController(stage: RbacStage): void {
  const { changePod } = stage
  void describe('the controller', () => {
    const note = (value: string | null) => ({
      metadata: { annotations: { [originalAnnotation]: value } },
    })
    const main = (fields: object) => ({ spec: { containers: [{ name: 'main', ...fields }] } })
    const resources = { requests: { cpu: '150m' }, limits: { cpu: '300m' } }
    const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }

    void test('changes no pod of an excluded namespace', async () => {
      const name = 'system'
      const pod = podOf({ name, work: idle, request: '100m', limit: '200m' })
      const { kubectl, as } = stage.accounts
      const made = await kubectl(['apply', '-n', 'kube-system', '-f', '-'], pod)
      assert.equal(made.code, 0, made.stderr)
      const place = { namespace: 'kube-system', name }
      const change = async (body: object, subresource?: 'resize') =>
        as('controller').patch(
          pods,
          { ...place, ...(subresource && { subresource }) },
          { type: 'strategic', body },
          { dryRun },
        )
      const words = /^403 .*namespace kube-system is excluded/
      await assertRefused(change(note('{}')), words)
      await assertRefused(change(main({ resources }), 'resize'), words)
      await kubectl(['delete', 'pod', '-n', 'kube-system', name, '--now', '--wait=false'])
    })

    void test('notes original values, and resizes', async () => {
      await changePod(note('{"main":{"request":"100m"}}'))
      await changePod(note(null))
      await changePod(main({ resources }), 'resize')
    })

    each(
      [
        {
          name: 'it sets no other annotation',
          body: { metadata: { annotations: { 'mbcas.io/managed': 'true' } } },
          words: /mbcas\.io\/original-cpu alone/,
        },
        {
          name: 'no label',
          body: { metadata: { labels: { app: 'web' } } },
          words: /may not change labels, finalizers or owners/,
        },
        {
          name: 'no finalizer',
          body: { metadata: { finalizers: ['mbcas.io/hold'] } },
          words: /may not change labels, finalizers or owners/,
        },
        {
          name: 'no owner',
          body: { metadata: { ownerReferences: [owner] } },
          words: /may not change labels, finalizers or owners/,
        },
        { name: 'no image', body: main({ image: 'evil' }), words: /through pods\/resize alone/ },
        {
          name: 'not even beside what it may',
          body: { ...note('{}'), ...main({ image: 'evil' }) },
          words: /through pods\/resize alone/,
        },
        {
          name: 'and it resizes no memory',
          body: main({ resources: { requests: { memory: '64Mi' } } }),
          subresource: 'resize' as const,
          words: /the CPU of containers alone/,
        },
      ],
      async ({ body, subresource, words }) =>
        assertRefused(changePod(body, subresource), /^403 .*'mbcas-controller'/, words),
    )

    void test('not even memory that a LimitRange gives with the resize', async () => {
      const { kubectl } = stage.accounts
      await kubectl(['apply', '-f', '-'], {
        apiVersion: 'v1',
        kind: 'LimitRange',
        metadata: { name: 'memory' },
        spec: { limits: [{ type: 'Container', default: { memory: '64Mi' } }] },
      })
      const resize = async () => refusalOf(changePod(main({ resources }), 'resize'))
      await until('the default', async () => (await resize()) !== undefined)
      assert.match((await resize()) ?? '', /the CPU of containers alone/)
      await kubectl(['delete', 'limitrange', 'memory'])
      await until('no default', async () => (await resize()) === undefined)
    })
  })
}
