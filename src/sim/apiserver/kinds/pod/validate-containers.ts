/** Containers, init containers and ephemeral containers. */
import type { FieldError } from '../../refusal.ts'
import {
  all,
  duplicate,
  forbiddenField,
  required,
  unsupported,
  wrong,
} from '../validate/field-errors.ts'
import { checkDnsLabel } from '../validate/names.ts'
import {
  largestInt32,
  named,
  notFound,
  oneOf,
  portName,
  portNumbers,
  within,
} from './complaints.ts'
import { isSidecar } from './resources.ts'
import type { Container, ContainerPort, EphemeralContainer, PodSpec } from './types.ts'
import { checkEnv } from './validate-env.ts'
import { banHandlers, checkHandlers, type HandlersAt } from './validate-handlers.ts'
import { checkContainerResources } from './validate-resources.ts'
import { checkMounts } from './validate-volumes.ts'

type ContainersAt = {
  /** Where the spec is: `spec`, or in a template. */
  readonly field: string
  readonly spec: PodSpec
  readonly volumes: ReadonlySet<string>
  /** What is stored already may break these rules: they came later. */
  readonly allowsPartPages: boolean
  readonly allowsInitRestart: boolean
}

const restartPolicies = ['Always', 'Never', 'OnFailure']
const pullPolicies = ['Always', 'IfNotPresent', 'Never']
const messagePolicies = ['File', 'FallbackToLogsOnError']

export function checkContainers(at: ContainersAt): FieldError[] {
  const { containers } = at.spec
  const field = `${at.field}.containers`
  if (containers.length === 0) return [required(field)]
  const names = new Set<string>()
  return [
    ...containers.flatMap((container, index) => {
      const own = `${field}[${index}]`
      return [
        ...checkCommon(container, own, at),
        ...checkUnique(container.name, `${own}.name`, names),
        ...checkHandlers(container, handlersAt(own, at)),
        ...checkRestart(container, own),
      ]
    }),
    ...checkHostPorts(containers, field),
  ]
}

export function checkInitContainers(at: ContainersAt): FieldError[] {
  const { containers, initContainers = [] } = at.spec
  const field = `${at.field}.initContainers`
  const names = new Set(containers.map(({ name }) => name))
  const check = (container: Container, own: string): FieldError[] => [
    ...checkCommon(container, own, at),
    ...checkRestart(container, own),
    ...checkUnique(container.name, `${own}.name`, names),
    ...checkHostPorts([container], field), // they run one by one
    ...(isSidecar(container)
      ? checkHandlers(container, handlersAt(own, at))
      : banHandlers(container, own)),
    ...(isSidecar(container) || at.allowsInitRestart ? [] : banRestart(container, own)),
  ]
  return initContainers.flatMap((container, index) => check(container, `${field}[${index}]`))
}

const forEphemeral = [
  'ports',
  'lifecycle',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'resizePolicy',
] as const

export function checkEphemeralContainers(at: ContainersAt): FieldError[] {
  const { containers, initContainers = [], ephemeralContainers = [] } = at.spec
  const others = new Set([...containers, ...initContainers].map(({ name }) => name))
  const names = new Set(others)
  const said = 'cannot be set for an Ephemeral Container'
  const check = (container: EphemeralContainer, own: string): FieldError[] => {
    const { targetContainerName: target = '', resources = {} } = container
    const banned = forEphemeral.filter((name) => container[name] !== undefined)
    return [
      ...checkCommon(container, own, at),
      ...checkImage(container, own),
      ...checkUnique(container.name, `${own}.name`, names),
      ...(target === '' || others.has(target)
        ? []
        : [notFound(`${own}.targetContainerName`, target)]),
      ...banned.map((name) => forbiddenField(`${own}.${name}`, said)),
      ...(Object.keys(resources).length > 0 ? [forbiddenField(`${own}.resources`, said)] : []),
    ]
  }
  return ephemeralContainers.flatMap((container, index) =>
    check(container, `${at.field}.ephemeralContainers[${index}]`),
  )
}

/** Of pods only, not of templates: their writers may leave it for later. */
export const checkImage = ({ image = '' }: Container, field: string): FieldError[] =>
  image.trim() === image
    ? []
    : [wrong(`${field}.image`, image, 'must not have leading or trailing whitespace')]

const handlersAt = (field: string, { spec }: ContainersAt): HandlersAt => ({
  field,
  graceSeconds: spec.terminationGracePeriodSeconds,
  os: spec.os?.name,
})

function checkUnique(name: string, field: string, names: Set<string>): FieldError[] {
  if (names.has(name)) return [duplicate(field, name)]
  names.add(name)
  return []
}

function checkCommon(container: Container, field: string, at: ContainersAt): FieldError[] {
  const { name, image = '', ports = [], resources, securityContext = {} } = container
  const users = { from: 0, to: largestInt32 }
  return [
    ...named(`${field}.name`, name, checkDnsLabel),
    ...(image === '' ? [required(`${field}.image`)] : []),
    ...oneOf(
      `${field}.terminationMessagePolicy`,
      container.terminationMessagePolicy,
      messagePolicies,
    ),
    ...checkPorts(ports, `${field}.ports`),
    ...checkEnv(container, field),
    ...checkMounts(container, { field: `${field}.volumeMounts`, volumes: at.volumes }),
    ...oneOf(`${field}.imagePullPolicy`, container.imagePullPolicy, pullPolicies),
    ...checkContainerResources(resources, { ...at, field: `${field}.resources` }),
    ...checkResizePolicy(container, `${field}.resizePolicy`, at.spec.restartPolicy),
    ...within(`${field}.securityContext.runAsUser`, securityContext.runAsUser, users),
    ...within(`${field}.securityContext.runAsGroup`, securityContext.runAsGroup, users),
  ]
}

function checkPorts(ports: readonly ContainerPort[], field: string): FieldError[] {
  const names = new Set<string>()
  return ports.flatMap(({ name = '', containerPort = 0, hostPort = 0, protocol }, index) => {
    const at = `${field}[${index}]`
    const form = name === '' ? [] : portName(name)
    return [
      ...all(`${at}.name`, name, form),
      ...(name === '' || form.length > 0 ? [] : checkUnique(name, `${at}.name`, names)),
      ...(containerPort === 0
        ? [required(`${at}.containerPort`)]
        : within(`${at}.containerPort`, containerPort, portNumbers)),
      ...(hostPort === 0 ? [] : within(`${at}.hostPort`, hostPort, portNumbers)),
      ...oneOf(`${at}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']),
    ]
  })
}

function checkHostPorts(containers: readonly Container[], field: string): FieldError[] {
  const taken = new Set<string>()
  return containers.flatMap(({ ports = [] }, index) =>
    ports.flatMap(({ hostPort, hostIP = '', protocol }, place) =>
      hostPort
        ? checkUnique(
            `${protocol}/${hostIP}/${hostPort}`,
            `${field}[${index}].ports[${place}].hostPort`,
            taken,
          )
        : [],
    ),
  )
}

function checkResizePolicy(
  { resizePolicy = [] }: Container,
  field: string,
  podRestartPolicy: string | undefined,
): FieldError[] {
  const named = new Set<string>()
  return resizePolicy.flatMap(({ resourceName, restartPolicy }, index) => [
    ...checkUnique(resourceName, `${field}[${index}]`, named),
    ...(resourceName ? oneOf(field, resourceName, ['cpu', 'memory']) : [required(field)]),
    ...(restartPolicy
      ? oneOf(field, restartPolicy, ['NotRequired', 'RestartContainer'])
      : [required(field)]),
    ...(podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired'
      ? [wrong(field, restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'")]
      : []),
  ])
}

const banRestart = ({ resizePolicy = [] }: Container, field: string): FieldError[] =>
  resizePolicy.flatMap(({ restartPolicy }, index) =>
    restartPolicy === 'RestartContainer'
      ? [
          wrong(
            `${field}.resizePolicy[${index}].restartPolicy`,
            restartPolicy,
            "must not be set to 'RestartContainer' for non-sidecar initContainers",
          ),
        ]
      : [],
  )

function checkRestart(
  { restartPolicy, restartPolicyRules = [] }: Container,
  field: string,
): FieldError[] {
  const at = `${field}.restartPolicy`
  if (restartPolicy !== undefined)
    return restartPolicies.includes(restartPolicy)
      ? []
      : [unsupported(at, restartPolicy, restartPolicies)]
  return restartPolicyRules.length > 0
    ? [required(at, 'must specify restartPolicy when restart rules are used')]
    : []
}
