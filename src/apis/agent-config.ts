/**
 * What an operator decides about an agent, in the units and the groups that the agent works with.
 * An agent without a file runs by `readAgentConfig({}, '')`.
 */
import type { InferOutput } from 'valibot'

import { type BiddingRules, biddingRules } from '../core/bidding/rules.ts'
import { type PublicationRules, publicationRules } from '../core/demand/publication.ts'
import { InvalidInput } from '../core/errors.ts'
import type { Millicores, Millis } from '../core/units.ts'
import { agentConfigFile, hostConfigFile, usual } from './agent-config-keys.ts'
import { parseAs } from './parse.ts'

type Common = {
  readonly samplingMillis: Millis
  readonly fastMillis: Millis
  readonly slowMillis: Millis
  /** Time constants. */
  readonly smoothing: { readonly upSeconds: number; readonly downSeconds: number }
  readonly bidding: BiddingRules
  readonly guardrail: {
    readonly isOn: boolean
    readonly throttledRatio: number
  }
  readonly usesBurst: boolean
}

export type AgentConfig = Common & {
  readonly publication: PublicationRules
  readonly latency: {
    /** Undefined: nobody is asked. */
    readonly prometheusUrl: string | undefined
    /** Undefined: the adapter's own. */
    readonly query: string | undefined
    /** Undefined: only pods that name one have a target. */
    readonly targetMillis: Millis | undefined
  }
}

export type HostConfig = Common & {
  readonly reserve: Millicores
  readonly periodMillis: Millis
  readonly groups: readonly HostGroup[]
}

export type HostGroup = {
  readonly path: string
  readonly floor: Millicores
  /** Undefined: all that is sold. */
  readonly ceiling: Millicores | undefined
  readonly weight: number
  /** Also above its floor it goes before those that are not. */
  readonly isUrgent?: true
  /** 0: it shares. Else they are its floor and its ceiling. */
  readonly exclusiveCpus: number
}

/** `name` is how the faults call the document. */
export function readAgentConfig(document: unknown, name: string): AgentConfig {
  const keys = parseAs(agentConfigFile, document, name)
  const common = commonOf(keys)
  return {
    ...common,
    bidding: {
      ...common.bidding,
      reserveRatio: keys.systemReservePercent / 100,
      floor: keys.baselineCPUPerPod,
      skipsGuaranteed: keys.skipGuaranteed,
    },
    publication: {
      ...publicationRules,
      minChangeRatio: keys.minChangePercent / 100,
      graceMillis: keys.startupGracePeriod,
    },
    latency: {
      prometheusUrl: keys.prometheusURL,
      query: keys.latencyQuery,
      targetMillis: keys.sloLatencyTarget === 0 ? undefined : keys.sloLatencyTarget,
    },
  }
}

/** Its reserve is an amount, already taken from the capacity: none is held back in parts of it. */
export function readHostConfig(document: unknown, name: string): HostConfig {
  const keys = parseAs(hostConfigFile, document, name)
  const common = commonOf(keys)
  const groups = keys.groups.map((group) => groupOf(group, name))
  checkApart(groups, name)
  const bidding = { ...common.bidding, reserveRatio: 0 }
  return { ...common, bidding, reserve: keys.reserve, periodMillis: keys.period, groups }
}

type GroupKeys = InferOutput<typeof hostConfigFile>['groups'][number]

function groupOf({ exclusiveCpus = 0, ...group }: GroupKeys, name: string): HostGroup {
  const { path, weight, floor, ceiling, urgent } = group
  const refuse = (words: string): InvalidInput =>
    new InvalidInput(`${name}: group ${path}: expected ${words}`)
  if (exclusiveCpus > 0) {
    const own = (exclusiveCpus * 1000) as Millicores
    if ((floor ?? own) > own) throw refuse(`floor within its ${own}m of own CPUs, got ${floor}m`)
    if ((ceiling ?? own) < own) {
      throw refuse(`ceiling of at least its ${own}m of own CPUs, got ${ceiling}m`)
    }
    return { path, weight, exclusiveCpus, floor: own, ceiling: own }
  }
  if (floor === undefined) throw refuse('floor or exclusiveCpus, got neither')
  if (floor > (ceiling ?? floor)) {
    throw refuse(`floor at most ceiling, got ${floor}m and ${ceiling}m`)
  }
  return { path, weight, exclusiveCpus, floor, ceiling, ...(urgent && { isUrgent: true }) }
}

/** A quota within a quota would be set twice. */
function checkApart(groups: readonly HostGroup[], name: string): void {
  const paths = groups.map(({ path }) => path).toSorted((a, b) => (`${a}/` < `${b}/` ? -1 : 1))
  for (const [i, path] of paths.entries()) {
    const above = paths[i - 1]
    if (above === undefined || !`${path}/`.startsWith(`${above}/`)) continue
    throw new InvalidInput(
      `${name}: group ${path}: expected it apart from the others, but it is ${path === above ? 'there twice' : `within ${above}`}`,
    )
  }
}

type Keys = InferOutput<typeof agentConfigFile> | InferOutput<typeof hostConfigFile>

function commonOf(keys: Keys): Common {
  const unsaid = keys.costEfficiencyMode ? usual.cost : usual.normal
  const {
    alphaDown = unsaid.alphaDown,
    needHeadroomFactor: headroomRatio = unsaid.needHeadroomFactor,
  } = keys
  return {
    samplingMillis: keys.samplingInterval,
    fastMillis: keys.fastLoopInterval,
    slowMillis: keys.slowLoopInterval,
    smoothing: { upSeconds: secondsOf(keys.alphaUp), downSeconds: secondsOf(alphaDown) },
    bidding: {
      ...biddingRules,
      headroomRatio,
      isCostMode: keys.costEfficiencyMode,
      respondsToPrice: keys.enablePriceResponse,
      mechanism: keys.mechanism,
      enforcement: keys.enforcement,
    },
    guardrail: {
      isOn: keys.enableFastGuardrail,
      throttledRatio: keys.fastUpThreshold,
    },
    usesBurst: keys.enableBurst,
  }
}

/**
 * The time constant of a step of which `alpha` shows after a second.
 *
 *   alpha   0.1   0.3   0.632   1
 *   seconds 9.49  2.80  1.00    0
 */
const secondsOf = (alpha: number): number => -1 / Math.log1p(-alpha)
