/**
 * What the owner of a pod, or of its namespace, asks for. What cannot be read is told and does not
 * count. Opting out needs no other word to agree: `managed: "false"` stands beside any mode.
 */
import { settings } from '../../apis/names.ts'
import type { Namespace } from '../../apis/namespace.ts'
import { type Mode, modes, wordsOn } from '../../apis/owner-words.ts'
import type { Pod } from '../../apis/pod.ts'
import type { PodWishes } from '../../core/bidding/pod.ts'
import { formatMillicores, parseMillicores } from '../../core/quantity.ts'
import type { Millicores } from '../../core/units.ts'

/** What the market does not decide on. */
export type PodOptions = {
  readonly mode: Mode
  /** Of its own; undefined is the agent's. */
  readonly targetLatencyMillis: number | undefined
  readonly allowsBurst: boolean
  /** The learned policy may act on it. */
  readonly learns: boolean
}

export type ReadWishes = {
  readonly wishes: PodWishes
  readonly options: PodOptions
  readonly problems: readonly string[]
}

const multipliers = { min: 0.001, max: 1000 }
const latencies = { min: 1, max: 3_600_000 }

export function readWishes(pod: Pod, namespace?: Namespace): ReadWishes {
  const problems: string[] = []
  const said = wordsOn(pod, namespace)
  const read = <T>(name: string, parse: (text: string) => T): T | undefined => {
    for (const { text, where } of said(name)) {
      try {
        return parse(text)
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        problems.push(`ignoring ${name}${where}: ${why}`)
      }
    }
    return undefined
  }

  const mode = read(settings.mode, oneOf(...modes)) ?? 'auto'
  const wishes = {
    isOptedOut: read(settings.managed, isTrue) === false,
    isOff: mode === 'off',
    minCpu: read(settings.minCpu, parseSomeCpu),
    maxCpu: read(settings.maxCpu, parseSomeCpu),
    priorityMultiplier: read(settings.priorityMultiplier, numberIn(multipliers)) ?? 1,
    managesGuaranteed: read(settings.guaranteed, oneOf('manage')) === 'manage',
    coalition: read(settings.coalition, parseName),
  }
  const options = {
    mode,
    targetLatencyMillis: read(settings.targetLatencyMs, numberIn(latencies)),
    allowsBurst: read(settings.burst, isTrue) ?? true,
    learns: read(settings.learn, isTrue) ?? false,
  }
  const { minCpu, maxCpu } = wishes
  if (minCpu !== undefined && maxCpu !== undefined && minCpu > maxCpu) {
    const amount = formatMillicores(minCpu)
    problems.push(
      `${settings.maxCpu} ${formatMillicores(maxCpu)} is below ${settings.minCpu} ${amount}: the pod is held at ${amount}`,
    )
  }
  return { wishes, options, problems }
}

const expected = (what: string, got: string): RangeError =>
  new RangeError(`expected ${what}, got ${JSON.stringify(got)}`)

function parseSomeCpu(text: string): Millicores {
  const amount = parseMillicores(text)
  if (amount > 0) return amount
  throw expected('an amount of CPU above 0', text)
}

const numberIn =
  ({ min, max }: { readonly min: number; readonly max: number }) =>
  (text: string): number => {
    const value = text.trim() === '' ? NaN : Number(text)
    if (value >= min && value <= max) return value
    throw expected(`a number from ${min} to ${max}`, text)
  }

const oneOf =
  <T extends string>(...known: readonly T[]) =>
  (text: string): T => {
    const found = known.find((value) => value === text)
    if (found !== undefined) return found
    throw expected(known.map((value) => `"${value}"`).join(' or '), text)
  }

const isTrue = (text: string): boolean => oneOf('true', 'false')(text) === 'true'

/** As the value of a label: it stands in reasons that people read. */
function parseName(text: string): string {
  if (/^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/.test(text)) return text
  throw expected('a name of at most 63 letters, digits, -, _ and .', text)
}
