/** How a kubelet's Topology Manager is set up, and what it refuses to start with. */
import { isRefusal, type Refusal } from '../refusal.ts'
import { type GivenOptions, readSwitch } from '../static-policy/options.ts'

export const topologyPolicies = ['none', 'best-effort', 'restricted', 'single-numa-node'] as const
export type TopologyPolicy = (typeof topologyPolicies)[number]

export const topologyScopes = ['container', 'pod'] as const
type TopologyScope = (typeof topologyScopes)[number]

export type TopologySettings = {
  readonly policy: TopologyPolicy
  /** Whether one choice is made for each container, or one for the whole pod. */
  readonly scope: TopologyScope
  /** Ascending ids. */
  readonly numaNodes: readonly number[]
  /** In the order of `numaNodes`; only where the closest nodes are preferred. */
  readonly distances?: readonly (readonly number[])[]
}

/** As a kubelet's configuration and its machine have them. */
export type TopologyConfig = {
  readonly policy?: string | undefined
  readonly scope?: string | undefined
  readonly options?: GivenOptions | undefined
  readonly numaNodes: readonly number[]
  readonly distances?: readonly (readonly number[])[] | undefined
}

/** More nodes make too many sets of nodes to look at; who raises it accepts that. */
const MOST_NUMA_NODES = 8

export function readTopologySettings(config: TopologyConfig): TopologySettings | Refusal {
  const { policy = 'none', scope = 'container', numaNodes, distances } = config
  // Without a policy the kubelet looks at nothing else.
  if (policy === 'none') return { policy, scope: 'container', numaNodes }
  const options = readOptions(config.options ?? {})
  if (isRefusal(options)) return options
  const isKnown = distances !== undefined && distances.length >= numaNodes.length
  if (options.prefersClosest && !isKnown) {
    return { error: 'cannot discover NUMA topology: error getting NUMA distances from cadvisor' }
  }
  if (numaNodes.length > options.mostNodes) {
    return { error: `unsupported on machines with more than ${options.mostNodes} NUMA Nodes` }
  }
  if (!isOneOf(topologyPolicies, policy)) return { error: `unknown policy: "${policy}"` }
  if (!isOneOf(topologyScopes, scope)) return { error: `unknown scope: "${scope}"` }
  return { policy, scope, numaNodes, ...(options.prefersClosest && isKnown && { distances }) }
}

const isOneOf = <T extends string>(names: readonly T[], name: string): name is T =>
  (names as readonly string[]).includes(name)

type Options = { readonly prefersClosest: boolean; readonly mostNodes: number }

function readOptions(given: GivenOptions): Options | Refusal {
  const options: Options = { prefersClosest: false, mostNodes: MOST_NUMA_NODES }
  for (const [name, value] of Object.entries(given)) {
    const read = readOption(name, value)
    if (isRefusal(read)) return read
    Object.assign(options, read)
  }
  return options
}

function readOption(name: string, value: string | boolean | number): Partial<Options> | Refusal {
  if (name === 'prefer-closest-numa-nodes') {
    const prefersClosest = readSwitch(value)
    if (prefersClosest !== undefined) return { prefersClosest }
    return { error: `bad value for option "${name}": ${notParsed('ParseBool', value)}` }
  }
  if (name !== 'max-allowable-numa-nodes') {
    return { error: `unknown Topology Manager Policy option: "${name}"` }
  }
  if (!/^[+-]?\d+$/.test(String(value))) {
    const error = `unable to convert policy option to integer "${name}": ${notParsed('Atoi', value)}`
    return { error }
  }
  if (Number(value) < MOST_NUMA_NODES) {
    return { error: `the minimum value of "${name}" should not be less than ${MOST_NUMA_NODES}` }
  }
  return { mostNodes: Number(value) }
}

const notParsed = (parser: string, value: string | boolean | number): string =>
  `strconv.${parser}: parsing "${value}": invalid syntax`
