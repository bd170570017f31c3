/** Why a pod got what it got, in words. */
import { showMillicores } from '../quantity.ts'
import type { Millicores } from '../units.ts'

export type Reasoned = {
  /** By the market. */
  readonly reason: string
  readonly need: Millicores
  readonly entitled: Millicores
  readonly given: Millicores
  /** Set by a person; undefined where nobody did. */
  readonly ceilingByHand: Millicores | undefined
  /** Of a full node, what it gets while all want more. */
  readonly shareRatio: number
  /** Pods of its namespace have latency targets, and it has none. */
  readonly yields: boolean
}

export function elasticReason({ ceilingByHand, shareRatio, yields, ...rest }: Reasoned): string {
  const { reason, need, entitled, given } = rest
  const otherwise =
    ceilingByHand === undefined
      ? 'all it wants otherwise'
      : `up to its ceiling of ${showMillicores(ceilingByHand)} otherwise`
  const part = yields
    ? 'what pods of its namespace with a latency target leave of the node'
    : `${Math.round(100 * shareRatio)} % of the node`
  const share = `gets ${part} while it is full, and ${otherwise}`
  const isWithin = need <= entitled && given >= need
  const needs = `needs ${showMillicores(need)} of the ${showMillicores(entitled)} that it is entitled to`
  return `${share}; ${isWithin ? needs : reason}`
}

export type Oversold = {
  /** Of this pod, as its owner set it. */
  readonly floor: Millicores
  readonly entitled: Millicores
  /** Of all, as their owners set them. */
  readonly floors: Millicores
  readonly sold: Millicores
}

export const oversoldReason = ({ floor, entitled, floors, sold }: Oversold): string =>
  `is entitled to ${showMillicores(entitled)} of its floor of ${showMillicores(floor)}: the floors on the node come to ${showMillicores(floors)}, and it sells ${showMillicores(sold)}`

export const strictReason = (reason: string, headroom: Millicores): string =>
  headroom > 0
    ? `${reason}, and ${showMillicores(headroom)} of idle CPU as head-room in its limit`
    : reason
