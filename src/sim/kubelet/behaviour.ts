/**
 * What a simulated process does besides using CPU: when it ends by itself, whether it obeys TERM, how
 * much memory it holds. People say so in annotations; the simplest commands speak for themselves.
 *
 *   ["true"], ["sh", "-c", "exit 3"]           ends at once, with 0 and 3
 *   ["sleep", "5"], ["sh", "-c", "sleep 5"]    ends after 5 s, with 0
 *   ["sh", "-c", "echo a; sleep 2; false"]     ends after 2 s, with 1
 *   ["nginx"], ["sh", "-c", "while :; ..."]    runs until it is stopped
 */
import { settings } from '../../apis/names.ts'
import { parseBytes, QuantityError } from '../../core/quantity.ts'
import type { SimContainer, SimPod } from '../nodes/pod.ts'

/** Quantity of memory that each container of the pod holds. */
const memoryAnnotation = 'sim.mbcas.io/memory'
/** `"true"`: its containers go only when the grace period has ended. */
const ignoresTermAnnotation = 'sim.mbcas.io/ignores-term'

/** Of a container that says nothing: a small server. */
const usualMemory = '12Mi'

type Ending = { readonly afterMillis: number; readonly exitCode: number }

/** What cannot be read counts as not said: anybody may write it, and the kubelet goes on. */
export function memoryOf({ metadata }: SimPod): number {
  try {
    return parseBytes(metadata.annotations?.[memoryAnnotation] ?? usualMemory)
  } catch (error) {
    if (!(error instanceof QuantityError) && !(error instanceof RangeError)) throw error
    return parseBytes(usualMemory)
  }
}

export const ignoresTerm = ({ metadata }: SimPod): boolean =>
  metadata.annotations?.[ignoresTermAnnotation] === 'true'

/** Milliseconds; undefined where nobody named one, or none that is a number. */
export function latencyTargetOf({ metadata }: SimPod): number | undefined {
  const target = Number(metadata.annotations?.[settings.targetLatencyMs])
  return target > 0 ? target : undefined
}

export function endingOf({ command = [], args = [] }: SimContainer): Ending | undefined {
  const words = [...command, ...args]
  const isShell = /^(\/bin\/)?(ba|a)?sh$/.test(words[0] ?? '')
  if (!isShell) return endingOfSteps([words])
  if (!/^-[a-z]*c$/.test(words[1] ?? '')) return undefined
  const steps = (words[2] ?? '').split(/;|&&|\n/).map((step) => step.trim())
  return endingOfSteps(steps.filter((step) => step !== '').map((step) => step.split(/\s+/)))
}

const units: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }

/** Undefined as soon as a step is not understood. */
function endingOfSteps(steps: readonly (readonly string[])[]): Ending | undefined {
  let afterMillis = 0
  let exitCode = 0
  for (const [program = '', first = ''] of steps) {
    const [, amount, unit = ''] = /^([\d.]+)([smhd]?)$/.exec(first) ?? []
    switch (program.replace(/^\/(usr\/)?bin\//, '')) {
      case 'true':
      case 'echo':
      case 'date':
        exitCode = 0
        break
      case 'false':
        exitCode = 1
        break
      case 'exit':
        return { afterMillis, exitCode: first === '' ? exitCode : Number(first) & 255 }
      case 'sleep':
        afterMillis += Number(amount ?? 'none') * (units[unit] ?? 1) * 1000
        if (!Number.isSafeInteger(Math.round(afterMillis))) return undefined
        exitCode = 0
        break
      default:
        return undefined
    }
  }
  return steps.length === 0 ? undefined : { afterMillis, exitCode }
}
