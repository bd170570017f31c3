/** Services: what may change, and which ports of the nodes they may have. */
import assert from 'node:assert/strict'

import type { KubeObject, Resource } from '../../src/apis/object.ts'
import type { Case, ContractServer } from './case.ts'
import { refused } from './expect.ts'

type Port = { readonly port: number; readonly nodePort?: number }
type Service = KubeObject & {
  readonly spec: {
    readonly type?: string
    readonly clusterIP?: string
    readonly clusterIPs?: readonly string[]
    readonly externalTrafficPolicy?: string
    readonly ports: readonly Port[]
  }
}
const services: Resource<Service> = {
  group: '',
  version: 'v1',
  plural: 'services',
  kind: 'Service',
  namespaced: true,
}

const service = (namespace: string, name: string, spec: Partial<Service['spec']>): Service => ({
  metadata: { namespace, name },
  spec: { ports: [{ port: 80 }], ...spec },
})

const patch = async (
  { kube }: ContractServer,
  { namespace, spec }: { readonly namespace: string; readonly spec: object },
) => kube.patch(services, { namespace, name: 'a' }, { type: 'merge', body: { spec } })

export const serviceCases: readonly Case[] = [
  {
    name: 'the address of a service stays',
    run: async (server, { namespace }) => {
      await server.kube.create(services, service(namespace, 'a', {}))
      await refused(patch(server, { namespace, spec: { clusterIP: '10.0.0.99' } }), {
        code: 422,
        reason: 'Invalid',
        said: 'Service "a" is invalid: spec.clusterIPs[0]: Invalid value: ["10.0.0.99"]: may not change once set',
      })
    },
  },
  {
    name: 'a service gets ports of the nodes with its type, and loses them with it',
    run: async (server, { namespace }) => {
      await server.kube.create(services, service(namespace, 'a', {}))
      const outside = await patch(server, { namespace, spec: { type: 'NodePort' } })
      assert.equal(outside.spec.externalTrafficPolicy, 'Cluster')
      const nodePort = outside.spec.ports[0]?.nodePort ?? 0
      assert.ok(nodePort >= 30_000 && nodePort < 32_768, String(nodePort))
      const inside = await patch(server, { namespace, spec: { type: 'ClusterIP' } })
      assert.equal(inside.spec.ports[0]?.nodePort, undefined)
      assert.equal(inside.spec.externalTrafficPolicy, undefined)
      assert.equal(inside.spec.clusterIP, outside.spec.clusterIP)
    },
  },
  {
    name: 'a service that only names another host has no address',
    run: async (server, { namespace }) => {
      await server.kube.create(services, service(namespace, 'a', {}))
      const named = { type: 'ExternalName', externalName: 'a.example.com' }
      const { spec } = await patch(server, { namespace, spec: named })
      assert.deepEqual(spec, {
        ...named,
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
        sessionAffinity: 'None',
      })
      const back = { type: 'ClusterIP', externalName: null }
      assert.ok((await patch(server, { namespace, spec: back })).spec.clusterIP)
    },
  },
  {
    name: 'a port of the nodes must be in their range, and free',
    run: async ({ kube }, { namespace }) => {
      const of = (name: string, nodePort?: number) =>
        service(namespace, name, {
          type: 'NodePort',
          ports: [{ port: 80, ...(nodePort !== undefined && { nodePort }) }],
        })
      await refused(kube.create(services, of('a', 10)), {
        code: 422,
        reason: 'Invalid',
        said: 'Service "a" is invalid: spec.ports[0].nodePort: Invalid value: 10: provided port is not in the valid range. The range of valid ports is 30000-32767',
      })
      const { spec } = await kube.create(services, of('a'))
      const taken = spec.ports[0]?.nodePort ?? 0
      await refused(kube.create(services, of('b', taken)), {
        code: 422,
        reason: 'Invalid',
        said: `Service "b" is invalid: spec.ports[0].nodePort: Invalid value: ${taken}: provided port is already allocated`,
      })
    },
  },
]
