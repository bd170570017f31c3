/** Tables, which kubectl prints: columns and cells come from the server. */
import assert from 'node:assert/strict'

import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { pods } from '../../src/apis/pod.ts'
import { askJson, asTable } from './ask.ts'
import type { Case } from './case.ts'
import { allocation, configMap, configMaps, waitingPod } from './objects.ts'

type Table = {
  readonly kind: string
  readonly apiVersion: string
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string }
  readonly columnDefinitions: readonly { name: string; type: string; priority: number }[]
  readonly rows: readonly { cells: readonly unknown[]; object: { kind: string } }[]
}

const columnsOf = (table: Table) =>
  table.columnDefinitions.map(({ name, priority }) => `${name} ${priority}`)

export const tableCases: readonly Case[] = [
  {
    name: 'PodAllocations have the columns of the CRD',
    run: async (server, { namespace }) => {
      const { kube } = server
      await kube.create(podAllocations, allocation(namespace, 'a', { nodeName: 'here' }))
      const at = { namespace, name: 'a', subresource: 'status' } as const
      const status = { phase: 'Failed', reason: 'PodNotFound', shadowPriceCPU: 0.25 }
      await kube.patch(podAllocations, at, { type: 'merge', body: { status } })
      const path = `/apis/allocation.mbcas.io/v1alpha1/namespaces/${namespace}/podallocations?limit=500`
      const table = await askJson<Table>(server, path, asTable)
      assert.equal(table.kind, 'Table')
      assert.equal(table.apiVersion, 'meta.k8s.io/v1')
      assert.deepEqual(columnsOf(table), [
        'Name 0',
        'Pod 0',
        'Request 0',
        'Limit 0',
        'Phase 0',
        'Price 0',
        'Age 0',
        'Node 1',
        'Urgency 1',
        'Reason 1',
      ])
      const [row] = table.rows
      assert.match(String(row?.cells[6]), /^\d+s$/)
      assert.deepEqual(row?.cells.toSpliced(6, 1), [
        'a',
        'a',
        '100m',
        '200m',
        'Failed',
        0.25,
        'here',
        'normal',
        'PodNotFound',
      ])
      assert.equal(row?.object.kind, 'PartialObjectMetadata')
    },
  },
  {
    name: 'one object is a table of one row',
    run: async (server, { namespace }) => {
      await server.kube.create(podAllocations, allocation(namespace, 'a'))
      const path = `/apis/allocation.mbcas.io/v1alpha1/namespaces/${namespace}/podallocations/a`
      const table = await askJson<Table>(server, path, asTable)
      assert.equal(table.rows.length, 1)
      assert.equal(table.rows[0]?.cells[4], null)
    },
  },
  {
    name: 'pods have their columns',
    run: async (server, { namespace }) => {
      await server.kube.create(pods, waitingPod(namespace))
      const path = `/api/v1/namespaces/${namespace}/pods`
      const table = await askJson<Table>(server, path, asTable)
      assert.deepEqual(columnsOf(table), [
        'Name 0',
        'Ready 0',
        'Status 0',
        'Restarts 0',
        'Age 0',
        'IP 1',
        'Node 1',
        'Nominated Node 1',
        'Readiness Gates 1',
      ])
      assert.deepEqual(table.rows[0]?.cells.toSpliced(4, 1), [
        'p',
        '0/1',
        'SchedulingGated',
        '0',
        '<none>',
        '<none>',
        '<none>',
        '<none>',
      ])
    },
  },
  {
    name: 'nodes have their columns',
    run: async (server) => {
      const path = `/api/v1/nodes/${server.nodeName}`
      const table = await askJson<Table>(server, path, asTable)
      assert.deepEqual(columnsOf(table).slice(0, 5), [
        'Name 0',
        'Status 0',
        'Roles 0',
        'Age 0',
        'Version 0',
      ])
      assert.deepEqual(table.rows[0]?.cells.slice(0, 3), [server.nodeName, 'Ready', '<none>'])
    },
  },
  {
    name: 'a table comes in pages',
    run: async (server, { namespace }) => {
      for (const name of ['a', 'b'])
        await server.kube.create(configMaps, configMap(namespace, name))
      const path = `/api/v1/namespaces/${namespace}/configmaps?limit=1`
      const table = await askJson<Table>(server, path, asTable)
      assert.equal(table.rows.length, 1)
      assert.ok(table.metadata.continue)
    },
  },
]
