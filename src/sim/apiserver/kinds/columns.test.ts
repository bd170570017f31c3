/** Cells of objects that have lived a while; those of new ones are compared with the real server's. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../../test/each.ts'
import type { ApiObject } from '../object.ts'
import { eventRules } from './event.ts'
import { jobRules } from './job.ts'
import type { KindRules } from './kind-rules.ts'
import { nodeRules } from './node.ts'
import { resourceQuotaRules } from './resource-quota.ts'
import { serviceRules } from './service.ts'

const now = Date.parse('2026-01-01T01:00:00Z')

const made = (object: object, metadata: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'x', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
  ...object,
})

const ready = (status: string) => ({ conditions: [{ type: 'Ready', status }] })
const ended = (type: string) => ({ conditions: [{ type, status: 'True' }] })
const roles = {
  labels: { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/control-plane': '' },
}
const seen = { involvedObject: { kind: 'Pod', name: 'p' }, count: 3 }

type Row = {
  readonly name: string
  readonly of: KindRules
  readonly object: ApiObject
  readonly shows: Readonly<Record<string, unknown>>
}

void describe('sim/apiserver/kinds/columns', () => {
  each<Row>(
    [
      {
        name: 'a node that is ready, with its roles',
        of: nodeRules,
        object: made({ spec: {}, status: ready('True') }, roles),
        shows: { Status: 'Ready', Roles: 'control-plane,worker', Age: '60m' },
      },
      {
        name: 'a node that is lost, and cordoned',
        of: nodeRules,
        object: made({ spec: { unschedulable: true }, status: ready('Unknown') }),
        shows: { Status: 'NotReady,SchedulingDisabled', Roles: '<none>' },
      },
      {
        name: 'a node as a kubelet describes it',
        of: nodeRules,
        object: made({
          status: {
            addresses: [
              { type: 'Hostname', address: 'x' },
              { type: 'InternalIP', address: '10.0.0.1' },
            ],
            nodeInfo: { kubeletVersion: 'v1', kernelVersion: '6.1', architecture: 'amd64' },
          },
        }),
        shows: {
          Status: 'Unknown',
          Version: 'v1',
          'Internal-IP': '10.0.0.1',
          'External-IP': '<none>',
          'OS-Image': '<unknown>',
          'Kernel-Version': '6.1 (amd64)',
        },
      },
      {
        name: 'an event that was seen three times',
        of: eventRules,
        object: made({
          ...seen,
          message: ' late\n',
          source: { component: 'kubelet', host: 'node-0' },
          firstTimestamp: '2026-01-01T00:00:00Z',
          lastTimestamp: '2026-01-01T00:59:00Z',
        }),
        shows: {
          'Last Seen': '60s',
          'First Seen': '60m',
          Object: 'pod/p',
          Source: 'kubelet, node-0',
          Message: 'late',
          Count: 3,
        },
      },
      {
        name: 'an event of the newer style with a series',
        of: eventRules,
        object: made({
          ...seen,
          eventTime: '2026-01-01T00:00:00.000000Z',
          series: { count: 7, lastObservedTime: '2026-01-01T00:50:00.000000Z' },
          reportingComponent: 'example.com/c',
        }),
        shows: { 'Last Seen': '10m', 'First Seen': '60m', Source: 'example.com/c', Count: 7 },
      },
      {
        name: 'a job that is complete',
        of: jobRules,
        object: made({
          spec: { completions: 2, parallelism: 1 },
          status: {
            ...ended('Complete'),
            succeeded: 2,
            startTime: '2026-01-01T00:00:00Z',
            completionTime: '2026-01-01T00:01:30Z',
          },
        }),
        shows: { Status: 'Complete', Completions: '2/2', Duration: '90s' },
      },
      {
        name: 'a job that is going, of which any pod will do',
        of: jobRules,
        object: made(
          { spec: { parallelism: 3 }, status: { startTime: '2026-01-01T00:58:00Z' } },
          { deletionTimestamp: '2026-01-01T01:00:00Z' },
        ),
        shows: { Status: 'Terminating', Completions: '0/1 of 3', Duration: '2m' },
      },
      {
        name: 'a quota with limits apart',
        of: resourceQuotaRules,
        object: made({
          status: {
            hard: { 'requests.cpu': '2', pods: '5', 'limits.cpu': '4' },
            used: { pods: '1' },
          },
        }),
        shows: { Request: 'pods: 1/5, requests.cpu: 0/2', Limit: 'limits.cpu: 0/4' },
      },
      {
        name: 'a service that waits for its balancer',
        of: serviceRules,
        object: made({
          spec: {
            type: 'LoadBalancer',
            clusterIPs: ['10.96.0.9'],
            ports: [{ port: 80, nodePort: 30_080, protocol: 'TCP' }],
            selector: { b: '2', a: '1' },
          },
        }),
        shows: {
          'Cluster-IP': '10.96.0.9',
          'External-IP': '<pending>',
          'Port(s)': '80:30080/TCP',
          Selector: 'a=1,b=2',
        },
      },
    ],
    ({ of, object, shows }) => {
      const cells = of.columns
        .filter(({ name }) => name in shows)
        .map(({ name, cell }) => [name, cell(object, { now })] as const)
      assert.deepEqual(Object.fromEntries(cells), shows)
    },
  )
})
