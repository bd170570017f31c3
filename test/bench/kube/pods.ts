/** Pods as a cluster's are: about 6.5 KB of JSON each, a sixth of it managedFields. */

export const namespaceCount = 50

export const namespaceOf = (index: number): string => `team-${index % namespaceCount}`
export const nameOf = (index: number): string => `checkout-api-${hex(index, 10)}-${hex(index, 5)}`

/** Digits that look drawn, the same for the same pod. */
function hex(index: number, length: number): string {
  let digits = ''
  for (let state = (index + 1) * 2_654_435_761; digits.length < length; state *= 48_271) {
    state %= 2_147_483_647
    digits += (state % 65_536).toString(16).padStart(4, '0')
  }
  return digits.slice(0, length)
}

const createdAt = '2026-10-28T09:14:51Z'
const image = 'registry.example.com/shop/checkout-api:2026.10.4'

export function podOf(index: number, resourceVersion: string): unknown {
  const name = nameOf(index)
  const replicaSet = name.slice(0, name.lastIndexOf('-'))
  const labels = {
    app: 'checkout-api',
    'app.kubernetes.io/name': 'checkout-api',
    'app.kubernetes.io/instance': 'checkout',
    'app.kubernetes.io/managed-by': 'Helm',
    'pod-template-hash': hex(index, 10),
    team: namespaceOf(index),
    version: '2026.10.4',
  }
  return {
    metadata: {
      name,
      generateName: `${replicaSet}-`,
      namespace: namespaceOf(index),
      uid: `${hex(index, 8)}-4c1d-4f0e-9a51-${hex(index + 7, 12)}`,
      resourceVersion,
      generation: 2,
      creationTimestamp: createdAt,
      labels,
      annotations: {
        'checksum/config': hex(index, 64),
        'prometheus.io/path': '/metrics',
        'prometheus.io/port': '9102',
        'prometheus.io/scrape': 'true',
        'kubectl.kubernetes.io/restartedAt': createdAt,
      },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: replicaSet,
          uid: `${hex(index, 8)}-51b7-4a1c-8f22-${hex(index + 3, 12)}`,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: managedFields(Object.keys(labels)),
    },
    spec: {
      volumes: [
        { name: 'config', configMap: { name: 'checkout-api', defaultMode: 420 } },
        { name: 'scratch', emptyDir: {} },
        {
          name: 'kube-api-access',
          projected: {
            defaultMode: 420,
            sources: [
              { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
              {
                configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] },
              },
            ],
          },
        },
      ],
      containers: [container('app', '500m', '1Gi'), container('proxy', '100m', '128Mi')],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: 'checkout-api',
      serviceAccount: 'checkout-api',
      nodeName: `node-${Math.floor(index / 110)}`,
      securityContext: { runAsNonRoot: true, fsGroup: 2000 },
      schedulerName: 'default-scheduler',
      tolerations: ['not-ready', 'unreachable'].map((state) => ({
        key: `node.kubernetes.io/${state}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
      priority: 0,
      enableServiceLinks: true,
    },
    status: {
      observedGeneration: 2,
      phase: 'Running',
      conditions: [
        'PodReadyToStartContainers',
        'Initialized',
        'Ready',
        'ContainersReady',
        'PodScheduled',
      ].map((type) => ({
        type,
        observedGeneration: 2,
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: createdAt,
      })),
      hostIP: '10.0.3.17',
      hostIPs: [{ ip: '10.0.3.17' }],
      podIP: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
      podIPs: [{ ip: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}` }],
      startTime: createdAt,
      containerStatuses: [
        containerStatus(index, { name: 'app', cpu: '500m', memory: '1Gi' }),
        containerStatus(index + 1, { name: 'proxy', cpu: '100m', memory: '128Mi' }),
      ],
      qosClass: 'Burstable',
    },
  }
}

const container = (name: string, cpu: string, memory: string) => ({
  name,
  image,
  ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
  env: [
    { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
  ],
  resources: { limits: { cpu: '2', memory }, requests: { cpu, memory } },
  resizePolicy: [
    { resourceName: 'cpu', restartPolicy: 'NotRequired' },
    { resourceName: 'memory', restartPolicy: 'NotRequired' },
  ],
  volumeMounts: [
    { name: 'config', mountPath: '/etc/checkout', readOnly: true },
    { name: 'scratch', mountPath: '/tmp' },
  ],
  readinessProbe: probe('/readyz'),
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
})

const probe = (path: string) => ({
  httpGet: { path, port: 'http', scheme: 'HTTP' },
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
})

const containerStatus = (
  index: number,
  { name, cpu, memory }: { name: string; cpu: string; memory: string },
) => ({
  name,
  state: { running: { startedAt: createdAt } },
  lastState: {},
  ready: true,
  restartCount: 0,
  image,
  imageID: `registry.example.com/shop/checkout-api@sha256:${hex(1, 64)}`,
  containerID: `containerd://${hex(index, 64)}`,
  started: true,
  allocatedResources: { cpu, memory },
  resources: { limits: { cpu: '2', memory }, requests: { cpu, memory } },
})

function managedFields(labels: readonly string[]) {
  const owned = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [`f:${name}`, {}]))
  const ofContainer = owned(['env', 'image', 'imagePullPolicy', 'readinessProbe', 'ports'])
  return [
    {
      manager: 'kube-controller-manager',
      operation: 'Update',
      apiVersion: 'v1',
      time: createdAt,
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:metadata': {
          'f:generateName': {},
          'f:labels': owned(labels),
          'f:annotations': owned(['checksum/config', 'prometheus.io/scrape']),
        },
        'f:spec': {
          'f:containers': { 'k:{"name":"app"}': ofContainer, 'k:{"name":"proxy"}': ofContainer },
          ...owned(['dnsPolicy', 'restartPolicy', 'schedulerName', 'serviceAccount', 'volumes']),
        },
      },
    },
    {
      manager: 'kubelet',
      operation: 'Update',
      apiVersion: 'v1',
      time: createdAt,
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:status': owned(['conditions', 'containerStatuses', 'hostIP', 'phase', 'podIP']),
      },
      subresource: 'status',
    },
  ]
}
