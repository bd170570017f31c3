/** The options of the kubelet's static policy (`cpuManagerPolicyOptions`), and what it refuses. */
import type { Refusal } from '../refusal.ts'
import type { CpuTopology } from '../topology.ts'

export const staticOptionNames = [
  'full-pcpus-only',
  'distribute-cpus-across-numa',
  'align-by-socket',
  'distribute-cpus-across-cores',
  'strict-cpu-reservation',
  'prefer-align-cpus-by-uncorecache',
] as const
export type StaticOption = (typeof staticOptionNames)[number]

/** By the kubelet's names, so that there is one vocabulary. */
export type StaticOptions = Readonly<Record<StaticOption, boolean>>

/** As a kubelet's configuration has them, where every value is a text, or as JSON would. */
export type GivenOptions = Readonly<Record<string, string | boolean | number>>

const excluded: readonly (readonly [StaticOption, StaticOption])[] = [
  ['full-pcpus-only', 'distribute-cpus-across-cores'],
  ['distribute-cpus-across-numa', 'distribute-cpus-across-cores'],
  ['prefer-align-cpus-by-uncorecache', 'distribute-cpus-across-cores'],
  ['prefer-align-cpus-by-uncorecache', 'distribute-cpus-across-numa'],
]

/** As if the gate of the alpha options were open: whoever gives one has opened it. */
export function readStaticOptions(given: GivenOptions): StaticOptions | Refusal {
  const options = Object.fromEntries(staticOptionNames.map((name) => [name, false])) as Record<
    StaticOption,
    boolean
  >
  for (const [name, value] of Object.entries(given)) {
    if (!isStaticOption(name)) return { error: `unknown CPU Manager Policy option: "${name}"` }
    const isOn = readSwitch(value)
    if (isOn === undefined) {
      return {
        error: `bad value for option "${name}": strconv.ParseBool: parsing "${value}": invalid syntax`,
      }
    }
    options[name] = isOn
  }
  for (const [one, other] of excluded) {
    if (!options[one] || !options[other]) continue
    return { error: `static policy options ${one} and ${other} can not be used at the same time` }
  }
  return options
}

const isStaticOption = (name: string): name is StaticOption =>
  (staticOptionNames as readonly string[]).includes(name)

/** The texts that Go's `ParseBool` takes. */
export function readSwitch(value: string | boolean | number): boolean | undefined {
  if (/^(1|t|T|true|TRUE|True)$/.test(String(value))) return true
  return /^(0|f|F|false|FALSE|False)$/.test(String(value)) ? false : undefined
}

/** What does not go with the machine, or with the Topology Manager's policy. */
export function refuseOnMachine(
  options: StaticOptions,
  { topology, topologyPolicy }: { topology: CpuTopology; topologyPolicy?: string | undefined },
): Refusal | undefined {
  if (!options['align-by-socket']) return undefined
  if (topologyPolicy === 'single-numa-node') {
    return {
      error:
        'Topolgy manager single-numa-node policy is incompatible with CPUManager align-by-socket policy option',
    }
  }
  if (topology.socket.ids.length <= topology.numa.ids.length) return undefined
  return {
    error:
      'Align by socket is not compatible with hardware where number of sockets are more than number of NUMA',
  }
}
