/**
 * What the owner of a pod, or of its namespace, asks for, within the bounds that an administrator set on
 * the namespace. What cannot be read is told and does not count; beyond a bound the bound counts, and is
 * told as well. Opting out needs no other word to agree: `managed: "false"` stands beside any mode.
 */
import { bounds, prefix, settings } from '../../apis/names.ts'
import type { Namespace } from '../../apis/namespace.ts'
import { type Mode, modes, type Word, wordsOn } from '../../apis/owner-words.ts'
import type { Pod } from '../../apis/pod.ts'
import type { NodePod, PodWishes } from '../../core/bidding/pod.ts'
import { type Enforcement, enforcements } from '../../core/enforcement/enforcements.ts'
import { formatMillicores, parseMillicores } from '../../core/quantity.ts'
import type { Millicores } from '../../core/units.ts'
import { cut } from '../../core/visible.ts'

/** What the market does not decide on. */
export type PodOptions = {
  readonly mode: Mode
  /** Of its own; undefined is the agent's. */
  readonly targetLatencyMillis: number | undefined
  readonly allowsBurst: boolean
  /** How its share is enforced; undefined: as is usual on its node. */
  readonly enforcement: Enforcement | undefined
}

export type ReadWishes = {
  readonly wishes: PodWishes
  readonly options: PodOptions
  /** Of its namespace, for the market. */
  readonly bounds: PodBounds
  /** Which words count for less than they say, and for what. */
  readonly cuts: readonly string[]
  readonly problems: readonly string[]
}

export type PodBounds = Pick<NodePod, 'shareFactor' | 'maxMinCpu'>

/** Within the share of the namespace. */
const multipliers = { min: 0.1, max: 10 }
const factors = { min: 0.01, max: 100 }
const latencies = { min: 1, max: 3_600_000 }

/** It repeats what was written, which may be 256 KiB. */
const LONGEST_WHY = 120

export function readWishes(pod: Pod, namespace?: Namespace): ReadWishes {
  const problems: string[] = []
  const said = wordsOn(pod, namespace)
  const ofNamespace = ` of namespace ${namespace?.metadata.name ?? ''}`
  const tryTo = <T>(name: string, { text, where }: Word, parse: (text: string) => T) => {
    try {
      return parse(text)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      problems.push(`ignoring ${name}${where}: ${cut(why, LONGEST_WHY)}`)
      return undefined
    }
  }
  const read = <T>(
    name: string,
    parse: (text: string) => T,
    words: readonly Word[] = said(name),
  ): T | undefined => {
    for (const word of words) {
      const value = tryTo(name, word, parse)
      if (value !== undefined) return value
    }
    return undefined
  }
  const bound = <T>(name: string, parse: (text: string) => T): T | undefined => {
    const text = namespace?.metadata.annotations?.[name]
    return text === undefined ? undefined : tryTo(name, { text, where: ofNamespace }, parse)
  }
  const cuts: string[] = []
  const within = (name: string, value: number, { min, max }: Range): number => {
    const counted = Math.min(max, Math.max(min, value))
    if (counted === value) return value
    const [side, edge] = counted < value ? ['above', max] : ['below', min]
    cuts.push(`${name.slice(prefix.length)} ${value} is ${side} ${edge}: counted as ${counted}`)
    return counted
  }

  const isOwn = ({ where }: Word): boolean => where === ''
  const ceilings = said(settings.maxCpu)
  /** What an administrator says of a namespace binds its pods. */
  const ceiling = read(
    settings.maxCpu,
    parseSomeCpu,
    ceilings.filter((word) => !isOwn(word)),
  )
  const belowCeiling = (name: string, asked: Millicores | undefined): Millicores | undefined => {
    if (asked === undefined || ceiling === undefined || asked <= ceiling) return asked
    const counted = formatMillicores(ceiling)
    const what = `${name.slice(prefix.length)} ${formatMillicores(asked)}`
    cuts.push(`${what} is above the ${counted} that its namespace allows: counted as ${counted}`)
    return ceiling
  }
  const ownCeiling = read(settings.maxCpu, parseSomeCpu, ceilings.filter(isOwn))

  const kinds = said(settings.enforcement)
  const parseKind = oneOf(...enforcements)
  const ownKind = read(settings.enforcement, parseKind, kinds.filter(isOwn))
  const kindOfNamespace = read(
    settings.enforcement,
    parseKind,
    kinds.filter((word) => !isOwn(word)),
  )
  /** What is sold to a namespace as hard shares is more to none of its pods. */
  const isSold = kindOfNamespace === 'strict'
  if (isSold && ownKind === 'elastic') {
    cuts.push('enforcement elastic does not count: its namespace is strict')
  }

  const mode = read(settings.mode, oneOf(...modes)) ?? 'auto'
  const most = bound(bounds.maxPriorityMultiplier, numberIn(multipliers)) ?? multipliers.max
  const multiplier = read(settings.priorityMultiplier, parsePositive) ?? 1
  const coalition = read(settings.coalition, parseName)
  const joins = bound(bounds.coalitions, isTrue) ?? true
  if (coalition !== undefined && !joins) {
    cuts.push(`coalition ${coalition} does not count: its namespace allows none`)
  }
  const wishes = {
    isOptedOut: read(settings.managed, isTrue) === false,
    isOff: mode === 'off',
    // Of a strict pod no ceiling is below its floor.
    minCpu: belowCeiling(settings.minCpu, read(settings.minCpu, parseSomeCpu)),
    maxCpu: belowCeiling(settings.maxCpu, ownCeiling) ?? ceiling,
    priorityMultiplier: within(settings.priorityMultiplier, multiplier, {
      min: Math.min(multipliers.min, most),
      max: most,
    }),
    managesGuaranteed: read(settings.guaranteed, oneOf('manage')) === 'manage',
    coalition: joins ? coalition : undefined,
  }
  const strictest = bound(bounds.minTargetLatencyMs, numberIn(latencies)) ?? latencies.min
  const target = read(settings.targetLatencyMs, numberIn(latencies))
  const options = {
    mode,
    targetLatencyMillis:
      target === undefined
        ? undefined
        : within(settings.targetLatencyMs, target, { ...latencies, min: strictest }),
    allowsBurst: read(settings.burst, isTrue) ?? true,
    enforcement: isSold ? kindOfNamespace : (ownKind ?? kindOfNamespace),
  }
  const allowed = {
    shareFactor: bound(bounds.shareFactor, numberIn(factors)),
    maxMinCpu: bound(bounds.maxMinCpu, parseSomeCpu),
  }
  return { wishes, options, bounds: allowed, cuts, problems }
}

const expected = (what: string, got: string): RangeError =>
  new RangeError(`expected ${what}, got ${JSON.stringify(got)}`)

function parseSomeCpu(text: string): Millicores {
  const amount = parseMillicores(text)
  if (amount > 0) return amount
  throw expected('an amount of CPU above 0', text)
}

type Range = { readonly min: number; readonly max: number }

const parseNumber = (text: string): number => (text.trim() === '' ? NaN : Number(text))

const numberIn =
  ({ min, max }: Range) =>
  (text: string): number => {
    const value = parseNumber(text)
    if (value >= min && value <= max) return value
    throw expected(`a number from ${min} to ${max}`, text)
  }

function parsePositive(text: string): number {
  const value = parseNumber(text)
  if (value > 0 && value < Infinity) return value
  throw expected('a number above 0', text)
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
