/** What the server says about itself. */
import assert from 'node:assert/strict'

import { askJson } from './ask.ts'
import type { Case } from './case.ts'

type ResourceList = {
  readonly kind: string
  readonly groupVersion: string
  readonly resources: readonly {
    name: string
    kind: string
    namespaced: boolean
    verbs: readonly string[]
    shortNames?: readonly string[]
    categories?: readonly string[]
  }[]
}

const aggregated =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json'

type Aggregated = {
  readonly kind: string
  readonly items: readonly {
    metadata: { name?: string }
    versions: readonly {
      version: string
      resources: readonly { resource: string; subresources?: readonly { subresource: string }[] }[]
    }[]
  }[]
}

export const discoveryCases: readonly Case[] = [
  {
    name: '/version tells major and minor',
    run: async ({ kube }) => {
      const version = (await kube.raw('/version')) as Record<string, string>
      assert.equal(version['major'], '1')
      assert.equal(version['minor'], '36')
      assert.match(version['gitVersion'] ?? '', /^v1\.36\.\d+/)
      assert.equal(version['platform'], 'linux/amd64')
    },
  },
  {
    name: '/api/v1 has pods and pods/resize with their verbs',
    run: async ({ kube }) => {
      const { kind, groupVersion, resources } = (await kube.raw('/api/v1')) as ResourceList
      assert.equal(kind, 'APIResourceList')
      assert.equal(groupVersion, 'v1')
      const verbsOf = (name: string) => resources.find((one) => one.name === name)?.verbs
      assert.deepEqual(verbsOf('pods'), [
        'create',
        'delete',
        'deletecollection',
        'get',
        'list',
        'patch',
        'update',
        'watch',
      ])
      assert.deepEqual(verbsOf('pods/resize'), ['get', 'patch', 'update'])
      assert.deepEqual(verbsOf('pods/status'), ['get', 'patch', 'update'])
      assert.deepEqual(verbsOf('pods/eviction'), ['create'])
      assert.deepEqual(verbsOf('pods/binding'), ['create'])
    },
  },
  {
    name: 'our group has podallocations, pa for short, and their status',
    run: async ({ kube }) => {
      const path = '/apis/allocation.mbcas.io/v1alpha1'
      const { resources } = (await kube.raw(path)) as ResourceList
      const own = resources.find(({ name }) => name === 'podallocations')
      assert.equal(own?.kind, 'PodAllocation')
      assert.equal(own?.namespaced, true)
      assert.deepEqual(own?.shortNames, ['pa'])
      assert.deepEqual(own?.categories, ['mbcas'])
      const status = resources.find(({ name }) => name === 'podallocations/status')
      assert.deepEqual(status?.verbs, ['get', 'patch', 'update'])
    },
  },
  {
    name: '/apis lists the groups',
    run: async ({ kube }) => {
      const { groups } = (await kube.raw('/apis')) as {
        groups: readonly { name: string; preferredVersion: { groupVersion: string } }[]
      }
      const versionOf = (name: string) =>
        groups.find((group) => group.name === name)?.preferredVersion.groupVersion
      assert.equal(versionOf('allocation.mbcas.io'), 'allocation.mbcas.io/v1alpha1')
      assert.equal(versionOf('coordination.k8s.io'), 'coordination.k8s.io/v1')
      assert.equal(versionOf('apps'), 'apps/v1')
    },
  },
  {
    name: '/api and /apis answer aggregated discovery where asked',
    run: async (server) => {
      const core = await askJson<Aggregated>(server, '/api', aggregated)
      assert.equal(core.kind, 'APIGroupDiscoveryList')
      const pods = core.items[0]?.versions[0]?.resources.find((one) => one.resource === 'pods')
      const subresources = pods?.subresources?.map((one) => one.subresource) ?? []
      assert.ok(subresources.includes('resize'))
      const groups = await askJson<Aggregated>(server, '/apis', aggregated)
      const ours = groups.items.find(({ metadata }) => metadata.name === 'allocation.mbcas.io')
      const names = ours?.versions[0]?.resources.map(({ resource }) => resource)
      assert.deepEqual(names?.toSorted(), ['marketsettings', 'nodemarkets', 'podallocations'])
    },
  },
  {
    name: '/openapi/v3 has the paths that kubectl reads',
    run: async (server) => {
      const { paths } = await askJson<{
        paths: Record<string, { serverRelativeURL: string }>
      }>(server, '/openapi/v3')
      for (const path of ['api/v1', 'apis/apps/v1', 'apis/allocation.mbcas.io/v1alpha1'])
        assert.match(
          paths[path]?.serverRelativeURL ?? '',
          new RegExp(`^/openapi/v3/${path}\\?hash=`),
        )
    },
  },
  ...['/livez', '/readyz', '/healthz'].map((path): Case => ({
    name: `${path} says ok`,
    run: async ({ kube }) => {
      assert.equal(await kube.raw(path), 'ok')
    },
  })),
]
