/** What a pod's owner asks for by annotation; what cannot be read is told and does not count. */
import { settings } from '../../apis/names.ts'
import type { Pod } from '../../apis/pod.ts'
import type { PodWishes } from '../../core/bidding/pod.ts'
import { parseMillicores } from '../../core/quantity.ts'
import type { Millicores } from '../../core/units.ts'

export type ReadWishes = { readonly wishes: PodWishes; readonly problems: readonly string[] }

const multipliers = { min: 0.001, max: 1000 }

export function readWishes(pod: Pod): ReadWishes {
  const problems: string[] = []
  /** As an annotation or, second, a label. */
  const read = <T>(name: string, parse: (text: string) => T): T | undefined => {
    const text = pod.metadata.annotations?.[name] ?? pod.metadata.labels?.[name]
    if (text === undefined) return undefined
    try {
      return parse(text)
    } catch (error) {
      problems.push(`ignoring ${name}: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }
  const wishes = {
    isOptedOut: read(settings.managed, (text) => text === 'false') ?? false,
    minCpu: read(settings.minCpu, parseSomeCpu),
    maxCpu: read(settings.maxCpu, parseSomeCpu),
    priorityMultiplier: read(settings.priorityMultiplier, parseMultiplier) ?? 1,
  }
  const { minCpu, maxCpu } = wishes
  if (minCpu !== undefined && maxCpu !== undefined && minCpu > maxCpu) {
    problems.push(`ignoring ${settings.maxCpu}: it is below ${settings.minCpu}`)
  }
  return { wishes, problems }
}

function parseSomeCpu(text: string): Millicores {
  const amount = parseMillicores(text)
  if (amount > 0) return amount
  throw new RangeError(`expected an amount of CPU above 0, got ${JSON.stringify(text)}`)
}

function parseMultiplier(text: string): number {
  const value = text.trim() === '' ? NaN : Number(text)
  if (value >= multipliers.min && value <= multipliers.max) return value
  const { min, max } = multipliers
  throw new RangeError(`expected a number from ${min} to ${max}, got ${JSON.stringify(text)}`)
}
