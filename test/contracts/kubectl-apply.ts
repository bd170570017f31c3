/** kubectl where it writes: create and apply, on both sides. */
import assert from 'node:assert/strict'

import { podAllocations } from '../../src/apis/pod-allocation.ts'
import type { Case, ContractServer } from './case.ts'
import { ended, kubectl, managersOf } from './expect.ts'
import { allocation, configMaps, limitRanges, resourceQuotas, waitingPod } from './objects.ts'

const needs = ['kubectl'] as const

const manifestOf = (spec: Record<string, unknown> = {}) => {
  const { spec: own } = allocation('', 'a')
  return JSON.stringify({
    apiVersion: 'allocation.mbcas.io/v1alpha1',
    kind: 'PodAllocation',
    metadata: { name: 'a' },
    spec: { ...own, ...spec },
  })
}
const named = 'podallocation.allocation.mbcas.io/a'

const run = async (
  server: ContractServer,
  { namespace, args, input }: { namespace: string; args: readonly string[]; input?: string },
) => (await kubectl(server, ['-n', namespace, ...args], input)).trimEnd()

export const kubectlApplyCases: readonly Case[] = [
  {
    name: 'apply: created, unchanged, configured; what is left out goes',
    needs,
    run: async (server, { namespace }) => {
      const apply = async (spec?: Record<string, unknown>) =>
        run(server, { namespace, args: ['apply', '-f', '-'], input: manifestOf(spec) })
      assert.equal(await apply(), `${named} created`)
      assert.equal(await apply(), `${named} unchanged`)
      assert.equal(await apply({ desiredCPULimit: undefined }), `${named} configured`)
      const { spec, metadata } = await server.kube.get(podAllocations, { namespace, name: 'a' })
      assert.equal(spec.desiredCPULimit, undefined)
      assert.ok(metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'])
    },
  },
  {
    name: 'apply of a built-in kind merges lists by their keys',
    needs,
    run: async (server, { namespace }) => {
      const { spec } = waitingPod(namespace)
      const manifest = (labels: Record<string, string>) =>
        JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels }, spec })
      const apply = async (labels: Record<string, string>) =>
        run(server, { namespace, args: ['apply', '-f', '-'], input: manifest(labels) })
      assert.equal(await apply({ a: '1' }), 'pod/p created')
      assert.equal(await apply({ a: '1' }), 'pod/p unchanged')
      assert.equal(await apply({ b: '2' }), 'pod/p configured')
      const args = ['get', 'pod', 'p', '-o', 'jsonpath={.metadata.labels}']
      assert.equal(await run(server, { namespace, args }), '{"b":"2"}')
    },
  },
  {
    name: 'apply --server-side, and its conflict',
    needs,
    run: async (server, { namespace }) => {
      const args = ['apply', '--server-side', '-f', '-']
      assert.equal(
        await run(server, { namespace, args, input: manifestOf() }),
        `${named} serverside-applied`,
      )
      const made = await server.kube.get(podAllocations, { namespace, name: 'a' })
      assert.deepEqual(
        managersOf(made).map(({ manager, operation }) => `${manager} ${operation}`),
        ['kubectl Apply'],
      )
      const other = ['-n', namespace, ...args, '--field-manager=other']
      const { code, err } = await ended(server, other, manifestOf({ desiredCPURequest: '120m' }))
      assert.equal(code, 1)
      assert.match(
        err,
        /^error: Apply failed with 1 conflict: conflict with "kubectl": \.spec\.desiredCPURequest\n/,
      )
      await kubectl(
        server,
        [...other, '--force-conflicts'],
        manifestOf({ desiredCPURequest: '120m' }),
      )
    },
  },
  {
    name: 'apply --server-side after a client-side apply takes its fields over',
    needs,
    run: async (server, { namespace }) => {
      await run(server, { namespace, args: ['apply', '-f', '-'], input: manifestOf() })
      const input = manifestOf({ desiredCPURequest: '120m' })
      const args = ['apply', '--server-side', '-f', '-']
      assert.equal(await run(server, { namespace, args, input }), `${named} serverside-applied`)
    },
  },
  {
    name: 'apply of an unknown field is refused',
    needs,
    run: async (server, { namespace }) => {
      const { code, err } = await ended(
        server,
        ['-n', namespace, 'apply', '-f', '-'],
        manifestOf({ colour: 'red' }),
      )
      assert.equal(code, 1)
      assert.equal(
        err,
        'Error from server (BadRequest): error when creating "STDIN": PodAllocation in version "v1alpha1" cannot be handled as a PodAllocation: strict decoding error: unknown field "spec.colour"\n',
      )
    },
  },
  {
    name: 'apply of what a rule forbids is refused with its message',
    needs,
    run: async (server, { namespace }) => {
      const { code, err } = await ended(
        server,
        ['-n', namespace, 'apply', '-f', '-'],
        manifestOf({ desiredCPURequest: '2' }),
      )
      assert.equal(code, 1)
      assert.equal(
        err,
        'The PodAllocation "a" is invalid: spec: Invalid value: desiredCPURequest must be at most desiredCPULimit: Kubernetes refuses a request above the limit\n',
      )
    },
  },
  {
    name: 'apply --dry-run=server and diff',
    needs,
    run: async (server, { namespace }) => {
      const args = ['apply', '--dry-run=server', '-f', '-']
      assert.equal(
        await run(server, { namespace, args, input: manifestOf() }),
        `${named} created (server dry run)`,
      )
      const { code, out } = await ended(server, ['-n', namespace, 'diff', '-f', '-'], manifestOf())
      assert.equal(code, 1)
      assert.match(out, /^\+ {2}desiredCPURequest: 100m$/m)
    },
  },
  {
    name: 'create -f, and again',
    needs,
    run: async (server, { namespace }) => {
      const args = ['create', '-f', '-']
      assert.equal(await run(server, { namespace, args, input: manifestOf() }), `${named} created`)
      const { code, err } = await ended(server, ['-n', namespace, ...args], manifestOf())
      assert.equal(code, 1)
      assert.equal(
        err,
        'Error from server (AlreadyExists): error when creating "STDIN": podallocations.allocation.mbcas.io "a" already exists\n',
      )
    },
  },
  {
    name: 'create namespace',
    needs,
    run: async (server, { namespace }) => {
      const name = `${namespace}-made`
      assert.equal(
        await kubectl(server, ['create', 'namespace', name]),
        `namespace/${name} created\n`,
      )
      assert.equal(
        await kubectl(server, ['delete', 'namespace', name, '--wait=false']),
        `namespace "${name}" deleted\n`,
      )
    },
  },
  {
    name: 'create configmap',
    needs,
    run: async (server, { namespace }) => {
      const args = ['create', 'configmap', 'c', '--from-literal=a=1', '--from-literal=b=2']
      assert.equal(await run(server, { namespace, args }), 'configmap/c created')
      const { data } = await server.kube.get(configMaps, { namespace, name: 'c' })
      assert.deepEqual(data, { a: '1', b: '2' })
    },
  },
  {
    name: 'create quota',
    needs,
    run: async (server, { namespace }) => {
      const args = ['create', 'quota', 'q', '--hard=requests.cpu=2,pods=5']
      assert.equal(await run(server, { namespace, args }), 'resourcequota/q created')
      const { spec } = await server.kube.get(resourceQuotas, { namespace, name: 'q' })
      assert.deepEqual(spec, { hard: { 'requests.cpu': '2', pods: '5' } })
    },
  },
  {
    name: 'create of a limit range fills its defaults in',
    needs,
    run: async (server, { namespace }) => {
      const manifest = {
        apiVersion: 'v1',
        kind: 'LimitRange',
        metadata: { name: 'l' },
        spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] },
      }
      await run(server, { namespace, args: ['create', '-f', '-'], input: JSON.stringify(manifest) })
      const { spec } = await server.kube.get(limitRanges, { namespace, name: 'l' })
      assert.deepEqual(spec, {
        limits: [
          {
            type: 'Container',
            max: { cpu: '1' },
            default: { cpu: '1' },
            defaultRequest: { cpu: '1' },
          },
        ],
      })
    },
  },
  {
    name: 'run makes a pod',
    needs,
    run: async (server, { namespace }) => {
      const args = [
        'run',
        'r',
        '--image=mbcas.local/none:1',
        '--image-pull-policy=Never',
        '--overrides={"spec":{"schedulingGates":[{"name":"mbcas.io/never"}]}}',
      ]
      assert.equal(await run(server, { namespace, args }), 'pod/r created')
    },
  },
  {
    name: 'apply of a List goes item by item',
    needs,
    run: async (server, { namespace }) => {
      const item = (name: string, more = {}) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name },
        ...more,
      })
      const listOf = (...items: unknown[]) =>
        JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
      const args = ['-n', namespace, 'apply', '-f', '-']
      assert.deepEqual(await ended(server, args, listOf(item('a'), item('b'))), {
        code: 0,
        out: 'configmap/a created\nconfigmap/b created\n',
        err: '',
      })
      const wrong = await ended(server, args, listOf(item('b'), item('c', { data: { x: 1 } })))
      assert.equal(wrong.code, 1)
    },
  },
  {
    name: 'apply of a kind that is not there says so',
    needs,
    run: async (server, { namespace }) => {
      const input = JSON.stringify({ apiVersion: 'v1', kind: 'Nothing', metadata: { name: 'a' } })
      assert.deepEqual(await ended(server, ['-n', namespace, 'apply', '-f', '-'], input), {
        code: 1,
        out: '',
        err:
          'error: resource mapping not found for name: "a" namespace: "" from "STDIN": no matches for kind "Nothing" in version "v1"\n' +
          'ensure CRDs are installed first\n',
      })
    },
  },
]
