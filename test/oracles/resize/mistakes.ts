/** What people get wrong when they write a pod. */
import {
  anyContainer,
  type Change,
  rename,
  setAmount,
  setOther,
  setPolicy,
  setWhole,
} from './changes.ts'
import type { Container, Json } from './pods.ts'

const someOf = (container: Container, name: string, value: unknown): void => {
  container[name] = value
}

export const mistakes: readonly Change[] = [
  setAmount,
  setOther,
  setWhole,
  setPolicy,
  rename,
  (spec, dice) => someOf(anyContainer(spec, dice), 'image', dice.pick(['', ' x', undefined])),
  (spec, dice) =>
    someOf(anyContainer(spec, dice), 'imagePullPolicy', dice.pick(['Sometimes', 'Never'])),
  (spec, dice) => {
    const port = () => ({
      containerPort: dice.pick([80, 80, 0, 70_000]),
      ...(dice.chance(0.5) && { name: dice.pick(['web', 'web', 'Web', 'a--b', '1']) }),
      ...(dice.chance(0.3) && { hostPort: dice.pick([80, 81, 99_999]) }),
      ...(dice.chance(0.2) && { protocol: dice.pick(['UDP', 'HTTP']) }),
    })
    someOf(anyContainer(spec, dice), 'ports', [port(), port()])
    if (dice.chance(0.3)) spec['hostNetwork'] = true
  },
  (spec, dice) =>
    someOf(anyContainer(spec, dice), 'env', [
      { name: dice.pick(['A', '', 'A=B', 'ä']), value: 'b' },
      { name: 'B', valueFrom: {} },
      { name: 'C', valueFrom: { fieldRef: { fieldPath: dice.pick(fieldPaths) } } },
      {
        name: 'D',
        valueFrom: { configMapKeyRef: { name: 'c', key: dice.pick(['', 'k', 'a b']) } },
      },
      {
        name: 'E',
        value: 'x',
        valueFrom: { resourceFieldRef: { resource: dice.pick(['limits.cpu', 'cpu', '']) } },
      },
    ]),
  (spec, dice) => {
    spec['volumes'] = [
      { name: dice.pick(['v', 'V', '']) },
      {
        name: 'v',
        ...dice.pick<Json>([{ emptyDir: {} }, { secret: {} }, { configMap: { name: 'c' } }]),
      },
      { name: 'w', hostPath: { path: dice.pick(['/x', '/x/../y', '']) }, emptyDir: {} },
    ]
    someOf(anyContainer(spec, dice), 'volumeMounts', [
      { name: dice.pick(['v', 'none']), mountPath: '/m' },
      { name: 'v', mountPath: dice.pick(['/m', '/n', '']), subPath: dice.pick(['', '/a', '../a']) },
    ])
  },
  (spec, dice) =>
    someOf(
      anyContainer(spec, dice),
      dice.pick(['livenessProbe', 'readinessProbe', 'startupProbe']),
      {
        ...dice.pick<Json>([
          {},
          { exec: { command: ['x'] } },
          { exec: {} },
          {
            httpGet: {
              port: dice.pick<unknown>([80, 0, 'web', 'WEB']),
              scheme: dice.pick(['HTTP', 'x']),
            },
          },
          { tcpSocket: { port: 1 }, grpc: { port: 2 } },
        ]),
        successThreshold: dice.pick([0, 1, 2]),
        periodSeconds: dice.pick([-1, 0, 5]),
      },
    ),
  (spec, dice) => {
    spec['restartPolicy'] = dice.pick(['Sometimes', 'Never'])
  },
  (spec, dice) => {
    spec['dnsPolicy'] = dice.pick(['None', 'x', 'Default'])
  },
  (spec, dice) => {
    spec['tolerations'] = [
      { key: dice.pick(['a', '', 'a b']), operator: dice.pick(['', 'Exists', 'Gt', 'x']) },
      { key: 'b', value: dice.pick(['', 'c d']), effect: dice.pick(['', 'NoExecute', 'x']) },
      { key: 'c', operator: 'Exists', value: 'x', tolerationSeconds: 3 },
    ]
  },
  (spec, dice) => {
    const operator = dice.pick(['In', 'Exists', 'Gt', 'x'])
    const values = dice.pick([[], ['1'], ['a', 'b c']])
    spec['affinity'] = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: dice.pick<Json[]>([
            [],
            [{ matchExpressions: [{ key: dice.pick(['a', 'a b']), operator, values }] }],
            [{ matchFields: [{ key: dice.pick(['metadata.name', 'x']), operator, values }] }],
          ]),
        },
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: dice.pick([0, 1, 101]),
            preference: { matchExpressions: [{ key: 'a', operator, values }] },
          },
        ],
      },
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            topologyKey: dice.pick(['zone', '', 'a b']),
            labelSelector: { matchLabels: { a: 'b' } },
          },
        ],
      },
    }
  },
  (spec, dice) => {
    const constraint = () => ({
      maxSkew: dice.pick([0, 1, 2]),
      topologyKey: dice.pick(['zone', '']),
      whenUnsatisfiable: dice.pick(['DoNotSchedule', 'ScheduleAnyway', 'x']),
      ...(dice.chance(0.3) && { minDomains: dice.pick([0, 1]) }),
    })
    spec['topologySpreadConstraints'] = [constraint(), constraint()]
  },
  (spec, dice) => {
    spec['schedulingGates'] = [{ name: dice.pick(['a', 'a b', '']) }, { name: 'a' }]
  },
  (spec) => {
    spec.containers.push({} as Container) // all that is needed is missing
    spec['schedulingGates'] = [{}]
    spec['readinessGates'] = [{}]
    spec['topologySpreadConstraints'] = [{}]
    const preferredDuringSchedulingIgnoredDuringExecution = [{}]
    spec['affinity'] = {
      nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution },
      podAffinity: { preferredDuringSchedulingIgnoredDuringExecution },
    }
  },
  (spec, dice) => {
    spec['nodeSelector'] = { [dice.pick(['a', 'a b'])]: dice.pick(['b', 'b c']) }
  },
  (spec, dice) => {
    spec['securityContext'] = { runAsUser: dice.pick([-1, 0, 2 ** 31]), fsGroup: -2 }
    someOf(anyContainer(spec, dice), 'securityContext', { runAsGroup: dice.pick([-1, 5]) })
  },
  (spec, dice) => {
    spec['activeDeadlineSeconds'] = dice.pick([0, 5, -1])
    spec['hostname'] = dice.pick(['a', 'A', 'a.b', '-'])
    spec['priorityClassName'] = dice.pick(['', 'a', 'A b'])
    spec['preemptionPolicy'] = dice.pick(['Never', 'x'])
  },
  (spec, dice) => {
    for (const one of spec.initContainers ?? [])
      one['restartPolicy'] = dice.pick(['Always', 'Never', 'x'])
  },
]
const fieldPaths = [
  'metadata.name',
  'status.phase',
  "metadata.labels['a']",
  "metadata.labels['a b']",
  "spec.x['a']",
  'x.y',
  '',
]
