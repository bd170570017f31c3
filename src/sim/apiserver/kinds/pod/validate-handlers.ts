/** Probes, and what runs after the start and before the stop of a container. */
import type { FieldError } from '../../refusal.ts'
import {
  all,
  forbiddenField,
  negative,
  required,
  unsupported,
  wrong,
} from '../validate/field-errors.ts'
import { headerName, portName, portNumbers, within } from './complaints.ts'
import type { Container, Handler, HttpGet, Lifecycle, Probe } from './types.ts'

export type HandlersAt = {
  readonly field: string
  readonly graceSeconds: number | undefined
  readonly os: string | undefined
}

export function checkHandlers(container: Container, at: HandlersAt): FieldError[] {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container
  const { field } = at
  return [
    ...checkLifecycle(lifecycle, { ...at, field: `${field}.lifecycle` }),
    ...checkProbe(livenessProbe, { ...at, field: `${field}.livenessProbe` }),
    ...mustSucceedOnce(livenessProbe, `${field}.livenessProbe`),
    ...checkProbe(readinessProbe, { ...at, field: `${field}.readinessProbe` }),
    ...mustNotStop(readinessProbe, `${field}.readinessProbe`),
    ...checkProbe(startupProbe, { ...at, field: `${field}.startupProbe` }),
    ...mustSucceedOnce(startupProbe, `${field}.startupProbe`),
  ]
}

/** Of init containers that are no sidecars: they run to their end. */
export const banHandlers = (container: Container, field: string): FieldError[] =>
  (['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const)
    .filter((name) => container[name] !== undefined)
    .map((name) =>
      forbiddenField(
        `${field}.${name}`,
        'may not be set for init containers without restartPolicy=Always',
      ),
    )

const mustSucceedOnce = (probe: Probe | undefined, field: string): FieldError[] =>
  probe === undefined || probe.successThreshold === 1
    ? []
    : [wrong(`${field}.successThreshold`, probe.successThreshold, 'must be 1')]

const mustNotStop = (probe: Probe | undefined, field: string): FieldError[] =>
  probe?.terminationGracePeriodSeconds === undefined
    ? []
    : [
        wrong(
          `${field}.terminationGracePeriodSeconds`,
          probe.terminationGracePeriodSeconds,
          'must not be set for readinessProbes',
        ),
      ]

const numbers = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const

function checkProbe(probe: Probe | undefined, at: HandlersAt): FieldError[] {
  if (probe === undefined) return []
  const { field } = at
  const grace = probe.terminationGracePeriodSeconds
  return [
    ...checkHandler(probe, at),
    ...numbers.flatMap((name) => negative(`${field}.${name}`, probe[name])),
    ...(grace !== undefined && grace <= 0
      ? [wrong(`${field}.terminationGracePeriodSeconds`, grace, 'must be greater than 0')]
      : []),
  ]
}

function checkLifecycle(lifecycle: Lifecycle | undefined, at: HandlersAt): FieldError[] {
  if (lifecycle === undefined) return []
  const { postStart, preStop, stopSignal } = lifecycle
  const { field, os } = at
  return [
    ...(postStart ? checkHandler(postStart, { ...at, field: `${field}.postStart` }) : []),
    ...(preStop ? checkHandler(preStop, { ...at, field: `${field}.preStop` }) : []),
    ...(stopSignal === undefined ? [] : checkSignal(stopSignal, `${field}.stopSignal`, os)),
  ]
}

function checkSignal(signal: string, field: string, os: string | undefined): FieldError[] {
  if (os === undefined)
    return [forbiddenField(field, 'may not be set for containers with empty `spec.os.name`')]
  const ofWindows = ['SIGKILL', 'SIGTERM']
  return os === 'windows' && !ofWindows.includes(signal)
    ? [unsupported(field, signal, ofWindows)]
    : []
}

function checkHandler(handler: Handler, { field, graceSeconds }: HandlersAt): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler
  const kinds: readonly (readonly [string, FieldError[] | undefined])[] = [
    ['exec', exec && (exec.command?.length ? [] : [required(`${field}.exec.command`)])],
    ['httpGet', httpGet && checkHttpGet(httpGet, `${field}.httpGet`)],
    ['tcpSocket', tcpSocket && checkPort(tcpSocket.port, `${field}.tcpSocket.port`)],
    ['grpc', grpc && checkPort(grpc.port, `${field}.grpc.port`)],
    ['sleep', sleep && checkSleep(sleep.seconds ?? 0, `${field}.sleep`, graceSeconds)],
  ]
  const [first, ...others] = kinds.filter(([, errors]) => errors !== undefined)
  if (first === undefined) return [required(field, 'must specify a handler type')]
  return [
    ...(first[1] ?? []),
    ...others.map(([kind]) =>
      forbiddenField(`${field}.${kind}`, 'may not specify more than 1 handler type'),
    ),
  ]
}

const checkHttpGet = ({ port, scheme, httpHeaders }: HttpGet, field: string): FieldError[] => [
  ...checkPort(port, `${field}.port`),
  ...(scheme === 'HTTP' || scheme === 'HTTPS'
    ? []
    : [unsupported(`${field}.scheme`, scheme, ['HTTP', 'HTTPS'])]),
  ...(httpHeaders ?? []).flatMap(({ name = '' }) =>
    all(`${field}.httpHeaders`, name, headerName(name)),
  ),
]

const checkPort = (port: number | string = 0, field: string): FieldError[] =>
  typeof port === 'number' ? within(field, port, portNumbers) : all(field, port, portName(port))

const checkSleep = (seconds: number, field: string, grace: number | undefined): FieldError[] =>
  grace !== undefined && (seconds < 0 || seconds > grace)
    ? [
        wrong(
          field,
          seconds,
          `must be non-negative and less than terminationGracePeriodSeconds (${grace})`,
        ),
      ]
    : []
