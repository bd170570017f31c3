/** The static policy of a kubelet on a machine: its options, and the CPUs that it reserves. */
import { type CpuSet, formatCpuSet, unionOf } from '../cpu-set.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import { cpusIn, type CpuTopology } from '../topology.ts'
import {
  type GivenOptions,
  readStaticOptions,
  refuseOnMachine,
  type StaticOptions,
} from './options.ts'
import { takeDistributed } from './take-distributed.ts'
import { takePacked, type Wanted } from './take-packed.ts'

export type StaticPolicy = {
  readonly topology: CpuTopology
  readonly options: StaticOptions
  readonly reserved: CpuSet
  /** With the siblings of the reserved ones: no whole core is to be had there. */
  readonly reservedCores: CpuSet
}

type StaticSetup = {
  readonly topology: CpuTopology
  readonly options: GivenOptions
  /** As `reservedSystemCPUs` lists them, or how many: the lowest, by the policy's own rules. */
  readonly reserved: CpuSet | number
  /** Of the Topology Manager. */
  readonly topologyPolicy?: string | undefined
}

export function createStaticPolicy(setup: StaticSetup): StaticPolicy | Refusal {
  const { topology, topologyPolicy } = setup
  const options = readStaticOptions(setup.options)
  if (isRefusal(options)) return options
  const refusal = refuseOnMachine(options, { topology, topologyPolicy })
  if (refusal !== undefined) return refusal
  const reserved =
    typeof setup.reserved === 'number'
      ? reserve({ topology, options }, setup.reserved)
      : setup.reserved
  if (isRefusal(reserved)) return reserved
  const reservedCores = new Set<number>()
  for (const cpu of reserved) {
    const position = topology.positionOf.get(cpu)
    if (position === undefined) {
      return {
        error: `[cpumanager] unable to build the reserved physical CPUs from the reserved set: unknown CPU ID: ${cpu}`,
      }
    }
    reservedCores.add(topology.core.ids[topology.core.groupOf[position] as number] as number)
  }
  const siblings = [...reservedCores].map((core) => cpusIn(topology, 'core', core))
  return { topology, options, reserved, reservedCores: unionOf(...siblings) }
}

type Rules = Pick<StaticPolicy, 'topology' | 'options'>

function reserve(rules: Rules, count: number): CpuSet | Refusal {
  const taken = takeCpus(rules, { available: rules.topology.cpus, count })
  const cpus = isRefusal(taken) ? [] : taken
  if (cpus.length === count) return cpus
  return {
    error: `[cpumanager] unable to reserve the required amount of CPUs (size of ${formatCpuSet(cpus)} did not equal ${count})`,
  }
}

export function takeCpus({ topology, options }: Rules, wanted: Wanted): CpuSet | Refusal {
  if (options['distribute-cpus-across-numa']) {
    const groupSize = options['full-pcpus-only'] ? topology.core.averageSize : 1
    return takeDistributed(topology, wanted, groupSize)
  }
  return takePacked(topology, wanted, {
    acrossCores: options['distribute-cpus-across-cores'],
    byUncore: options['prefer-align-cpus-by-uncorecache'],
  })
}
