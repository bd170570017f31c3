/** Types and a server for tests: ConfigMaps with a shape by hand, and nothing that refuses. */
import { seededRandom } from '../../src/core/random.ts'
import type { ResourceType } from '../../src/sim/apiserver/resource-type.ts'
import {
  type ApiServer,
  createApiServer,
  type ServerOptions,
} from '../../src/sim/apiserver/server.ts'
import type { Shape } from '../../src/sim/apiserver/shape.ts'
import { objectMetaShape } from '../../src/sim/apiserver/types/shape-of.ts'
import { createAgenda, type RunningAgenda } from '../../src/sim/create-agenda.ts'

const text: Shape = { type: 'string' }

export const configMaps: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  singular: 'configmap',
  shortNames: ['cm'],
  categories: [],
  namespaced: true,
  shape: {
    type: 'object',
    typeName: 'io.k8s.api.core.v1.ConfigMap',
    fields: new Map([
      ['apiVersion', { shape: text }],
      ['kind', { shape: text }],
      ['metadata', { shape: objectMetaShape }],
      ['data', { shape: { type: 'map', values: text } }],
    ]),
  },
  subresources: [],
  strategy: {},
  columns: [
    {
      name: 'Data',
      type: 'string',
      description: 'Number of keys.',
      priority: 0,
      cell: ({ data }) => Object.keys(data ?? {}).length,
    },
  ],
  selectableFields: {},
  hasGeneration: false,
}

export type TestServer = ApiServer & { readonly agenda: RunningAgenda }

export function newServer(options: Partial<ServerOptions> = {}): TestServer {
  const agenda = createAgenda({ speed: 'max', startsAt: Date.parse('2026-01-01T00:00:00Z') })
  const server = createApiServer({
    agenda,
    random: seededRandom(1),
    types: [configMaps],
    admit: ({ object }) => object,
    ...options,
  })
  return { ...server, agenda }
}
