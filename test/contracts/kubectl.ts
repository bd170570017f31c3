/** kubectl, as a person uses it with our objects: exit codes, and the lines that matter. */
import assert from 'node:assert/strict'

import { podAllocations } from '../../src/apis/pod-allocation.ts'
import type { Case } from './case.ts'
import { ended, kubectl } from './expect.ts'
import { cellsOf, linesOf, needs, printed } from './kubectl-lines.ts'
import { allocation, configMap, configMaps } from './objects.ts'

export const kubectlCases: readonly Case[] = [
  {
    name: 'get pa prints our columns',
    needs,
    run: async (server, { namespace }) => {
      await server.kube.create(podAllocations, allocation(namespace, 'a', { nodeName: 'here' }))
      const status = { phase: 'Applied', reason: 'Done', shadowPriceCPU: 1.5 }
      await server.kube.patch(
        podAllocations,
        { namespace, name: 'a', subresource: 'status' },
        { type: 'merge', body: { status } },
      )
      const [head, row] = await printed(server, namespace, ['get', 'pa'])
      assert.deepEqual(cellsOf(head), ['NAME', 'POD', 'REQUEST', 'LIMIT', 'PHASE', 'PRICE', 'AGE'])
      assert.deepEqual(cellsOf(row).slice(0, 6), ['a', 'a', '100m', '200m', 'Applied', '1.5'])
      const [wide] = await printed(server, namespace, ['get', 'mbcas', '-o', 'wide'])
      assert.deepEqual(cellsOf(wide).slice(7), ['NODE', 'URGENCY', 'REASON'])
    },
  },
  {
    name: 'get of nothing, of something missing, and of an unknown kind',
    needs,
    run: async (server, { namespace }) => {
      const run = async (...args: string[]) => ended(server, ['-n', namespace, 'get', ...args])
      assert.deepEqual(await run('pa'), {
        code: 0,
        out: '',
        err: `No resources found in ${namespace} namespace.\n`,
      })
      assert.deepEqual(await run('pod', 'nobody'), {
        code: 1,
        out: '',
        err: 'Error from server (NotFound): pods "nobody" not found\n',
      })
      assert.deepEqual(await run('nothings'), {
        code: 1,
        out: '',
        err: 'error: the server doesn\'t have a resource type "nothings"\n',
      })
    },
  },
  {
    name: 'get -o yaml and -o jsonpath',
    needs,
    run: async (server, { namespace }) => {
      await server.kube.create(podAllocations, allocation(namespace, 'a'))
      const text = await kubectl(server, [
        '-n',
        namespace,
        'get',
        'podallocation',
        'a',
        '-o',
        'yaml',
      ])
      for (const line of [
        'apiVersion: allocation.mbcas.io/v1alpha1',
        'kind: PodAllocation',
        '  desiredCPURequest: 100m',
        '  urgency: normal',
      ])
        assert.ok(linesOf(text).includes(line), text)
      const [request] = await printed(server, namespace, [
        'get',
        'pa/a',
        '-o',
        'jsonpath={.spec.desiredCPURequest}',
      ])
      assert.equal(request, '100m')
    },
  },
  {
    name: 'get -l, --field-selector and --sort-by',
    needs,
    run: async (server, { namespace }) => {
      for (const name of ['a', 'b'])
        await server.kube.create(configMaps, configMap(namespace, name, { labels: { name } }))
      const names = async (...args: string[]) =>
        printed(server, namespace, ['get', 'configmap', '-o', 'name', ...args])
      assert.deepEqual(await names('-l', 'name=b'), ['configmap/b'])
      assert.deepEqual(await names('--field-selector', 'metadata.name=a'), ['configmap/a'])
      assert.deepEqual(await names('-l', 'name', '--sort-by', '.metadata.name'), [
        'configmap/a',
        'configmap/b',
      ])
    },
  },
  {
    name: 'label and annotate',
    needs,
    run: async (server, { namespace }) => {
      await server.kube.create(podAllocations, allocation(namespace, 'a'))
      const run = async (...args: string[]) => printed(server, namespace, args)
      assert.deepEqual(await run('label', 'pa', 'a', 'team=red'), [
        'podallocation.allocation.mbcas.io/a labeled',
      ])
      assert.deepEqual(await run('annotate', 'pa', 'a', 'mbcas.io/override=true'), [
        'podallocation.allocation.mbcas.io/a annotated',
      ])
      assert.deepEqual(await run('label', 'pa', 'a', 'team-'), [
        'podallocation.allocation.mbcas.io/a unlabeled',
      ])
      const { metadata } = await server.kube.get(podAllocations, { namespace, name: 'a' })
      assert.deepEqual(metadata.annotations, { 'mbcas.io/override': 'true' })
      assert.equal(metadata.labels, undefined)
      const { code, err } = await ended(server, [
        '-n',
        namespace,
        'annotate',
        'pa',
        'a',
        'mbcas.io/override=false',
      ])
      assert.equal(code, 1)
      assert.match(err, /--overwrite is false but found the following declared annotation/)
    },
  },
  {
    name: 'delete waits until it is gone',
    needs,
    run: async (server, { namespace }) => {
      await server.kube.create(podAllocations, allocation(namespace, 'a'))
      assert.deepEqual(await printed(server, namespace, ['delete', 'pa', 'a']), [
        `podallocation.allocation.mbcas.io "a" deleted from ${namespace} namespace`,
      ])
      const again = await ended(server, ['-n', namespace, 'delete', 'pa', 'a'])
      assert.equal(again.code, 1)
      assert.equal(
        again.err,
        'Error from server (NotFound): podallocations.allocation.mbcas.io "a" not found\n',
      )
      assert.equal(
        (await ended(server, ['-n', namespace, 'delete', 'pa', 'a', '--ignore-not-found'])).code,
        0,
      )
    },
  },
  {
    name: 'api-resources has our kinds',
    needs,
    run: async (server) => {
      const lines = linesOf(
        await kubectl(server, ['api-resources', '--api-group=allocation.mbcas.io']),
      )
      assert.deepEqual(
        lines.map((line) => cellsOf(line)),
        [
          ['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND'],
          ['marketsettings', 'mktset', 'allocation.mbcas.io/v1alpha1', 'false', 'MarketSettings'],
          ['nodemarkets', 'nm', 'allocation.mbcas.io/v1alpha1', 'false', 'NodeMarket'],
          ['podallocations', 'pa', 'allocation.mbcas.io/v1alpha1', 'true', 'PodAllocation'],
        ],
      )
    },
  },
  {
    name: 'explain reads the descriptions of the CRD',
    needs,
    run: async (server) => {
      const text = await kubectl(server, ['explain', 'podallocation.spec'])
      for (const part of [
        /^GROUP: +allocation\.mbcas\.io$/m,
        /^KIND: +PodAllocation$/m,
        /^FIELD: spec <Object>$/m,
        /^ {2}podName\t<string> -required-$/m,
        /Name of the pod, in the same namespace/,
        /^ {2}enum: normal, guardrail$/m,
      ])
        assert.match(text, part)
    },
  },
  {
    name: 'explain reads a built-in kind',
    needs,
    run: async (server) => {
      const text = await kubectl(server, ['explain', 'pod.spec.containers.resources'])
      assert.match(text, /^FIELD: resources <ResourceRequirements>$/m)
      assert.match(text, /^ {2}limits\t<map\[string\]Quantity>$/m)
    },
  },
  {
    name: 'version and auth can-i',
    needs,
    run: async (server, { namespace }) => {
      assert.match(await kubectl(server, ['version']), /^Server Version: v1\.36\.\d+/m)
      assert.deepEqual(
        await printed(server, namespace, [
          'auth',
          'can-i',
          'patch',
          'pods',
          '--subresource=resize',
        ]),
        ['yes'],
      )
    },
  },
  {
    name: 'a scale has columns of its own and is refused by its own name',
    needs,
    run: async (server, { namespace }) => {
      const make = ['-n', namespace, 'create', 'deployment', 'd', '--image=x', '--replicas=0']
      await kubectl(server, make)
      const [head, row] = await printed(server, namespace, [
        'get',
        'deployment',
        'd',
        '--subresource=scale',
      ])
      assert.deepEqual(cellsOf(head), ['NAME', 'DESIRED', 'AVAILABLE', 'AGE'])
      assert.deepEqual(cellsOf(row).slice(0, 3), ['d', '0', '0'])
      const asked = ['patch', 'deployment', 'd', '--subresource=scale', '--type=merge']
      const { code, err } = await ended(server, [
        '-n',
        namespace,
        ...asked,
        '-p',
        '{"spec":{"replicas":-1}}',
      ])
      assert.equal(code, 1)
      assert.equal(
        err,
        'The Scale "d" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0\n',
      )
    },
  },
]
