/** What is taken as it is, but hardly meant: told to those who create pods, or templates of them. */
import { parseQuantity } from '../../../../core/quantity.ts'
import { checkDnsLabel } from '../validate/names.ts'
import type { Container, ContainerPort, EnvVar, PodSpec } from './types.ts'

const whole = parseQuantity('1').nanos

export function warnOfName(name: string, usedIn: string): string[] {
  const faults = checkDnsLabel(name)
  if (faults.length === 0) return []
  return [
    `metadata.name: this is used in ${usedIn}, which can result in surprising behavior; a DNS label is recommended: [${faults.join(' ')}]`,
  ]
}

/** `path` leads to the spec. */
export function warnOfSpec(spec: PodSpec, path: string): string[] {
  const { containers, initContainers = [] } = spec
  const all = [
    ...initContainers.map((one, i) => ({ one, at: `${path}.initContainers[${i}]` })),
    ...containers.map((one, i) => ({ one, at: `${path}.containers[${i}]` })),
  ]
  return [
    ...(spec.topologySpreadConstraints ?? []).flatMap(({ labelSelector }, i) =>
      labelSelector === undefined
        ? [
            `${path}.topologySpreadConstraints[${i}].labelSelector: a null labelSelector results in matching no pod`,
          ]
        : [],
    ),
    ...all.flatMap((placed) => [...warnOfFractions(placed), ...warnOfHidden(placed)]),
    ...warnOfPorts(all),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [
          `${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
  ]
}

type Placed = { readonly one: Container; readonly at: string }

const warnOfFractions = ({ one: { resources = {} }, at }: Placed): string[] =>
  ['memory', 'ephemeral-storage'].flatMap((name) =>
    (['limits', 'requests'] as const).flatMap((list) => {
      const amount = resources[list]?.[name]
      if (amount === undefined || parseQuantity(amount).nanos % whole === 0n) return []
      return [
        `${at}.resources.${list}[${name}]: fractional byte value "${amount}" is invalid, must be an integer`,
      ]
    }),
  )

/** A variable may build on its earlier value: A=x, A=$(A)y. */
function warnOfHidden({ one: { env = [] }, at }: Placed): string[] {
  const hides = ({ name, value = '', valueFrom }: EnvVar): boolean => {
    const earlier = `$(${name})`
    return valueFrom !== undefined || value === earlier || !value.includes(earlier)
  }
  return env.flatMap((one, i) =>
    env.slice(0, i).some(({ name }) => name === one.name) && hides(one)
      ? [
          `${at}.env[${i}]: hides previous definition of "${one.name}", which may be dropped when using apply`,
        ]
      : [],
  )
}

function warnOfPorts(containers: readonly Placed[]): string[] {
  const ports = containers.flatMap(({ one, at }) =>
    (one.ports ?? []).map((port, i) => ({ port, at: `${at}.ports[${i}]` })),
  )
  const said = ports.flatMap(({ port, at }, i) =>
    ports.slice(0, i).flatMap((other) => {
      const how = clashOf(port, other.port)
      return how === undefined ? [] : [`${at}: ${how} port definition with ${other.at}`]
    }),
  )
  const names = ports.flatMap(({ port: { name }, at }, i) => {
    const first = ports.slice(0, i).find((other) => other.port.name === name)?.at
    if (name === undefined || first === undefined) return []
    return [
      `${at}: duplicate port name "${name}" with ${first}, services and probes that select ports by name will use ${first}`,
    ]
  })
  return [...said, ...names]
}

function clashOf(a: ContainerPort, b: ContainerPort): string | undefined {
  if (a.containerPort !== b.containerPort || a.protocol !== b.protocol) return undefined
  const [host, other] = [a.hostPort ?? 0, b.hostPort ?? 0]
  const [ip = '', otherIp = ''] = [a.hostIP, b.hostIP]
  if (host === other && ip === otherIp) return 'duplicate'
  if (host === 0 || other === 0) return 'overlapping'
  return host === other && (ip === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined
}
