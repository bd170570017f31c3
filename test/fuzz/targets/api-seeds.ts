/** Valid objects and requests for the embedded API server. */
import type { Random } from '../../../src/core/random.ts'
import { chance, oddTexts, pick } from '../generate.ts'
import { documentsIn } from './seeds.ts'

type Seed = { readonly path: string; readonly object: Readonly<Record<string, unknown>> }

const container = {
  name: 'main',
  image: 'busybox',
  resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '500m' } },
  env: [{ name: 'A', value: 'b' }],
  ports: [{ containerPort: 80, protocol: 'TCP' }],
  livenessProbe: { httpGet: { path: '/', port: 80 }, periodSeconds: 5 },
  volumeMounts: [{ name: 'v', mountPath: '/v' }],
}
const podSpec = {
  containers: [container],
  volumes: [{ name: 'v', emptyDir: {} }],
  tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
      },
    },
  },
}
const labels = { app: 'web' }
const template = { metadata: { labels }, spec: podSpec }
const selector = { matchLabels: labels }
const core = '/api/v1/namespaces/default'
const apps = '/apis/apps/v1/namespaces/default'
const named = (name: string) => ({ name, labels, annotations: { 'sim.mbcas.io/load': 'idle' } })

const seed = (path: string, kind: string, fields: object): Seed => {
  const apiVersion = path
    .split('/')
    .slice(path.startsWith('/apis/') ? 2 : 2, path.startsWith('/apis/') ? 4 : 3)
    .join('/')
  return { path, object: { apiVersion, kind, metadata: named('a'), ...fields } }
}

export const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        name: { type: 'string', pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 },
        count: { type: 'integer', minimum: 0, default: 1 },
        items: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        parts: {
          type: 'array',
          items: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['key'],
        },
        any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        port: { 'x-kubernetes-int-or-string': true },
        at: { type: 'string', format: 'date-time' },
      },
      'x-kubernetes-validations': [
        { rule: "!has(self.items) || self.items.all(x, x.matches('^a+$'))", message: 'no' },
        {
          rule: 'self.count >= 0 && size(self.name) < 10',
          messageExpression: "'got ' + self.name",
        },
        { rule: '!has(oldSelf.count) || oldSelf.count <= self.count' },
      ],
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' } } },
  },
}
export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boats.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Boat', plural: 'boats' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.count', statusReplicasPath: '.status.replicas' },
        },
        additionalPrinterColumns: [
          { name: 'N', type: 'string', jsonPath: '.spec.parts[?(@.key=="a")].key' },
        ],
        selectableFields: [{ jsonPath: '.spec.name' }],
      },
    ],
  },
}
export const boat = {
  apiVersion: 'example.com/v1',
  kind: 'Boat',
  metadata: named('a'),
  spec: {
    name: 'abc',
    count: 2,
    items: ['a', 'aa'],
    parts: [{ key: 'a' }],
    any: { x: [1] },
    port: 80,
  },
}
export const boats = '/apis/example.com/v1/namespaces/default/boats'
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

export const seeds: readonly Seed[] = [
  seed(`${core}/pods`, 'Pod', { spec: podSpec }),
  seed(`${core}/configmaps`, 'ConfigMap', { data: { a: '1' }, binaryData: { b: 'AAAA' } }),
  seed(`${core}/secrets`, 'Secret', { stringData: { a: '1' }, type: 'Opaque' }),
  seed(`${core}/services`, 'Service', {
    spec: { selector: labels, ports: [{ port: 80, targetPort: 'http' }] },
  }),
  seed(`${core}/events`, 'Event', {
    involvedObject: { kind: 'Pod', name: 'a', namespace: 'default' },
    reason: 'r',
  }),
  seed(`${core}/resourcequotas`, 'ResourceQuota', { spec: { hard: { cpu: '1', pods: '10' } } }),
  seed(`${core}/limitranges`, 'LimitRange', {
    spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] },
  }),
  seed('/api/v1/nodes', 'Node', {
    spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] },
    status: { capacity: { cpu: '4' } },
  }),
  seed('/api/v1/namespaces', 'Namespace', {}),
  seed(`${apps}/deployments`, 'Deployment', {
    spec: {
      replicas: 2,
      selector,
      template,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } },
    },
  }),
  seed(`${apps}/daemonsets`, 'DaemonSet', { spec: { selector, template } }),
  seed(`${apps}/replicasets`, 'ReplicaSet', { spec: { replicas: 1, selector, template } }),
  seed('/apis/batch/v1/namespaces/default/jobs', 'Job', {
    spec: {
      completions: 3,
      parallelism: 2,
      template: { ...template, spec: { ...podSpec, restartPolicy: 'Never' } },
    },
  }),
  seed('/apis/policy/v1/namespaces/default/poddisruptionbudgets', 'PodDisruptionBudget', {
    spec: { minAvailable: '50%', selector },
  }),
  seed('/apis/coordination.k8s.io/v1/namespaces/default/leases', 'Lease', {
    spec: { holderIdentity: 'x', renewTime: '2026-01-01T00:00:00.000000Z' },
  }),
  seed('/apis/rbac.authorization.k8s.io/v1/clusterroles', 'ClusterRole', {
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  }),
  seed('/apis/scheduling.k8s.io/v1/priorityclasses', 'PriorityClass', { value: 5 }),
  { path: definitions, object: definition },
  { path: boats, object: boat },
  ...documentsIn('deploy/crds/').map((object): Seed => ({
    path: definitions,
    object: object as Seed['object'],
  })),
]

const queries = [
  'limit=-1',
  'limit=2',
  'limit=99999999999999999999',
  'continue=eyJ2IjoxfQ',
  'continue=%00',
  'watch=true',
  'watch=1',
  'resourceVersion=0',
  'resourceVersion=-1',
  'resourceVersion=99999999',
  'resourceVersionMatch=Exact',
  'timeoutSeconds=0',
  'labelSelector=app%3Dweb',
  'labelSelector=a+in+(b,c),!d,e>1',
  'labelSelector=__proto__',
  'labelSelector=((',
  'fieldSelector=metadata.name%3Da',
  'fieldSelector=constructor%3Da',
  'fieldSelector=spec.nodeName!%3D\\,',
  'fieldManager=m',
  'fieldManager=',
  'force=true',
  'fieldValidation=Strict',
  'fieldValidation=x',
  'dryRun=All',
  'dryRun=x',
  'pretty=true',
  'gracePeriodSeconds=-1',
  'propagationPolicy=Foreground',
  'tailLines=-1',
  'sendInitialEvents=true',
  'allowWatchBookmarks=true',
  'includeObject=None',
  'container=x',
]
const accepts = [
  'application/json',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  'application/vnd.kubernetes.protobuf',
  '*/*',
]
const ends = [
  '',
  '/a',
  '/a/status',
  '/a/scale',
  '/a/log',
  '/a/resize',
  '/a/binding',
  '/a/eviction',
  '/%61',
  '/%zz',
  '/..',
  '/__proto__',
  '//',
  '/a/x/y',
]
export const describing = [
  '/',
  '/api',
  '/apis',
  '/api/v1',
  '/apis/apps',
  '/apis/apps/v1',
  '/version',
  '/livez',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/apis/apps/v1',
  '/openapi/v3/apis/constructor/v1',
  '/sim/faults',
  '/metrics',
]

export function randomPath(random: Random): string {
  const base = chance(random, 0.2)
    ? pick(random, describing)
    : pick(random, seeds).path + pick(random, ends)
  const parts = Array.from({ length: Math.floor(random() * 3) }, () =>
    chance(random, 0.8)
      ? pick(random, queries)
      : `${pick(random, queries).split('=')[0]}=${pick(random, oddTexts)}`,
  )
  return parts.length === 0 ? base : `${base}?${parts.join('&')}`
}

export const randomAccept = (random: Random): string => pick(random, accepts)
