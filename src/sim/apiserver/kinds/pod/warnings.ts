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
  const known = new Set<string | undefined>()
  return env.flatMap((one, i) => {
    const isAgain = known.has(one.name)
    known.add(one.name)
    return isAgain && hides(one)
      ? [
          `${at}.env[${i}]: hides previous definition of "${one.name}", which may be dropped when using apply`,
        ]
      : []
  })
}

/** More do not fit into an answer's head. */
const MOST_CLASHES = 1000

function warnOfPorts(containers: readonly Placed[]): string[] {
  const ports = containers.flatMap(({ one, at }) =>
    (one.ports ?? []).map((port, i) => ({ port, at: `${at}.ports[${i}]` })),
  )
  const said: string[] = []
  const same = new Map<string, typeof ports>()
  for (const one of ports) {
    const { containerPort, protocol } = one.port
    const earlier = same.get(`${containerPort} ${protocol}`) ?? []
    for (const other of earlier) {
      if (said.length === MOST_CLASHES) break
      const how = clashOf(one.port, other.port)
      if (how !== undefined) said.push(`${one.at}: ${how} port definition with ${other.at}`)
    }
    earlier.push(one)
    same.set(`${containerPort} ${protocol}`, earlier)
  }
  const firsts = new Map<string, string>()
  const names = ports.flatMap(({ port: { name }, at }) => {
    if (name === undefined) return []
    const first = firsts.get(name)
    if (first === undefined) {
      firsts.set(name, at)
      return []
    }
    return [
      `${at}: duplicate port name "${name}" with ${first}, services and probes that select ports by name will use ${first}`,
    ]
  })
  return [...said, ...names]
}

/** Of two of the same port and protocol. */
function clashOf(a: ContainerPort, b: ContainerPort): string | undefined {
  const [host, other] = [a.hostPort ?? 0, b.hostPort ?? 0]
  const [ip = '', otherIp = ''] = [a.hostIP, b.hostIP]
  if (host === other && ip === otherIp) return 'duplicate'
  if (host === 0 || other === 0) return 'overlapping'
  return host === other && (ip === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined
}
