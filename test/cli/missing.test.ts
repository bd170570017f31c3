/** What is said of names that are not there, and which names are offered, on an embedded cluster. */
import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'

import { namesFor } from '../../src/apps/cli/completion/names.ts'
import { explain, type Explained } from '../../src/apps/cli/explain/explain.ts'
import { each } from '../each.ts'
import { onSite, type Site } from '../site.ts'
import { furnish } from './furnish.ts'

void describe('names on a furnished cluster', () => {
  let site: Site
  let leave: () => void
  let left: Promise<void>

  before(async () => {
    await new Promise<void>((ready, fail) => {
      left = onSite({ nodes: 3 }, async (one) => {
        site = one
        await furnish(one.kube, one.cluster.agenda.clock.wall())
        ready()
        await new Promise<void>((resolve) => (leave = resolve))
      })
      left.catch(fail)
    })
  })
  after(async () => {
    leave()
    await left
  })

  each<{ name: string; kind: Explained; asked: string; says: RegExp }>(
    [
      {
        name: 'a pod with a typing error',
        kind: 'pod',
        asked: 'shop/worker-9',
        says: /no pod worker-9 in the namespace shop; did you mean worker-0\?$/,
      },
      {
        name: 'a pod by the name of its Deployment',
        kind: 'pod',
        asked: 'shop/web',
        says: /no pod web in the namespace shop; did you mean web-7d4b9c-x2x1q\?$/,
      },
      {
        name: 'a pod of another namespace',
        kind: 'pod',
        asked: 'default/worker-0',
        says: /no pod worker-0 in the namespace default; did you mean shop\/worker-0\?$/,
      },
      {
        name: 'a pod in a namespace with a typing error',
        kind: 'pod',
        asked: 'shpo/nothing-of-that-name',
        says: /in the namespace shpo; there is no such namespace: did you mean shop\?$/,
      },
      {
        name: 'a pod of which nothing is near',
        kind: 'pod',
        asked: 'shop/something-else-entirely',
        says: /in the namespace shop; see kubectl get pods -n shop$/,
      },
      {
        name: 'a node with a typing error',
        kind: 'node',
        asked: 'nod-1',
        says: /explaining a node: there is no node nod-1; did you mean node-1\?$/,
      },
      {
        name: 'an allocation that a pod does not have',
        kind: 'allocation',
        asked: 'lone',
        says: /no PodAllocation lone in the namespace default; see kubectl get podallocations -n default$/,
      },
    ],
    async ({ kind, asked, says }) => {
      const { clock } = site.cluster.agenda
      const asking = { kube: site.kube, clock, namespace: undefined, usual: 'default', entries: '' }
      await assert.rejects(explain(kind, asking, asked), says)
    },
  )

  each<{
    name: string
    of: 'pod' | 'node' | 'namespace'
    prefix: string
    namespace?: string
    gives: string[]
  }>(
    [
      { name: 'pods of the usual namespace', of: 'pod', prefix: '', gives: ['batch-0', 'loner'] },
      { name: 'pods of -n', of: 'pod', prefix: 'wo', namespace: 'shop', gives: ['worker-0'] },
      { name: 'pods behind a slash', of: 'pod', prefix: 'shop/wo', gives: ['shop/worker-0'] },
      { name: 'nodes', of: 'node', prefix: 'node-', gives: ['node-0', 'node-1', 'node-2'] },
      { name: 'namespaces', of: 'namespace', prefix: 'sh', gives: ['shop'] },
    ],
    async ({ of, prefix, namespace, gives }) => {
      const found = await namesFor(site.kube, { of, prefix, namespace, usual: 'default' })
      assert.deepEqual(
        found.map(({ word }) => word),
        gives,
      )
    },
  )
})
