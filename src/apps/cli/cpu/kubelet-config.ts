/** How the kubelet of a plan is set up: by flags, and by what is known of it where no flag is given. */
import { parseAmounts, parseOptions, parseReservedMemory } from '../../../apis/kubelet-flags.ts'
import type { KubeletConfig } from '../../../core/cpu/admission/node.ts'
import { type CpuSet, parseCpuSet } from '../../../core/cpu/cpu-set.ts'
import { InvalidInput } from '../../../core/errors.ts'

export type KubeletFlags = {
  readonly policy?: 'none' | 'static'
  readonly options?: string
  readonly reservedCpus?: string
  readonly reservedCount?: number
  readonly topologyPolicy?: string
  readonly topologyOptions?: string
  readonly scope?: string
  readonly reservedMemory?: string
  readonly nodeReserved?: string
}

/** What a kubelet is taken for of which nothing is known. */
export const usualConfig: KubeletConfig = { cpuManager: { options: {}, reserved: 0 } }

export function kubeletConfig(flags: KubeletFlags, known: KubeletConfig): KubeletConfig {
  const { policy = known.cpuManager ? 'static' : 'none' } = flags
  const { topologyManager } = known
  const memoryManager = memoryIn(flags) ?? known.memoryManager
  return {
    ...(policy === 'static' && {
      cpuManager: {
        options: optionsIn(flags.options) ?? known.cpuManager?.options ?? {},
        reserved: reservedIn(flags) ?? known.cpuManager?.reserved ?? 0,
      },
    }),
    ...(memoryManager && { memoryManager }),
    topologyManager: {
      policy: flags.topologyPolicy ?? topologyManager?.policy ?? 'none',
      scope: flags.scope ?? topologyManager?.scope ?? 'container',
      options: optionsIn(flags.topologyOptions) ?? topologyManager?.options ?? {},
    },
  }
}

const optionsIn = (text: string | undefined) =>
  text === undefined ? undefined : parseOptions(text)

function reservedIn({ reservedCpus, reservedCount }: KubeletFlags) {
  if (reservedCpus === undefined) return reservedCount
  if (reservedCount === undefined) return parseReserved(reservedCpus)
  throw new InvalidInput('expected --reserved-cpus or --reserved-count, got both')
}

function memoryIn({ reservedMemory, nodeReserved }: KubeletFlags): KubeletConfig['memoryManager'] {
  if (reservedMemory !== undefined) {
    return {
      reserved: parseReservedMemory(reservedMemory),
      ...(nodeReserved !== undefined && {
        nodeReserved: parseAmounts(nodeReserved, '--node-reserved'),
      }),
    }
  }
  if (nodeReserved === undefined) return undefined
  throw new InvalidInput('expected --reserved-memory with --node-reserved, got none')
}

function parseReserved(list: string): CpuSet {
  try {
    return parseCpuSet(list)
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    throw new InvalidInput(`--reserved-cpus: ${error.message}`, { cause: error })
  }
}
