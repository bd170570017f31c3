/**
 * An agent's `/state` as a NodeView. Whoever took an agent's place could answer anything: only what
 * has the right shape is taken over, and nothing else.
 */
import type { BidView, MarketView, NodeView, PodView } from '../../apis/node-view.ts'
import { verdictStates } from '../../core/guardrail/signals.ts'

/** More than a kubelet runs. */
const MOST_PODS = 1000
const LONGEST_TEXT = 2000
const modes = ['uncongested', 'congested', 'overloaded'] as const

type Fields = Readonly<Record<string, unknown>>

/** Throws where it is no NodeView. */
export function parseNodeView(text: string): NodeView {
  const fields = fieldsOf(JSON.parse(text), 'an object')
  const { market, pods } = fields
  if (!Array.isArray(pods) || pods.length > MOST_PODS) {
    throw expected(`at most ${MOST_PODS} pods`, pods)
  }
  return {
    node: textIn(fields, 'node'),
    at: numberIn(fields, 'at'),
    ...(market !== undefined && { market: marketOf(fieldsOf(market, 'a market')) }),
    pods: pods.map((pod) => podOf(fieldsOf(pod, 'a pod'))),
  }
}

const marketOf = (fields: Fields): MarketView => ({
  at: numberIn(fields, 'at'),
  mode: choiceIn(fields, 'mode', modes),
  ...numbersIn(fields, 'allocatable', 'reserve', 'held', 'capacity', 'sold'),
  ...optionalIn(fields, 'price'),
})

const podOf = (fields: Fields): PodView => ({
  uid: textIn(fields, 'uid'),
  namespace: textIn(fields, 'namespace'),
  name: textIn(fields, 'name'),
  ...numbersIn(fields, 'used', 'demand', 'request', 'throttledRatio', 'waitedRatio'),
  ...optionalIn(fields, 'limit', 'quota', 'shares', 'heldTo', 'p99Millis', 'targetMillis'),
  isSuffering: fields['isSuffering'] === true,
  isInLane: fields['isInLane'] === true,
  state: choiceIn(fields, 'state', verdictStates),
  ...(fields['bid'] !== undefined && { bid: bidOf(fieldsOf(fields['bid'], 'a bid')) }),
  reason: textIn(fields, 'reason'),
})

const bidOf = (fields: Fields): BidView => ({
  ...numbersIn(fields, 'floor', 'need', 'ceiling', 'weight', 'entitled', 'shareRatio', 'gets'),
  ...optionalIn(fields, 'paid', 'ceilingByHand'),
  ...(fields['isStrict'] === true && { isStrict: true }),
})

function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw expected(what, value)
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value === 'string') return value.slice(0, LONGEST_TEXT)
  throw expected(`a text as ${name}`, value)
}

function numberIn(fields: Fields, name: string): number {
  const value = fields[name]
  if (typeof value === 'number' && value >= 0) return value
  throw expected(`a number of 0 or more as ${name}`, value)
}

function numbersIn<N extends string>(fields: Fields, ...names: readonly N[]): Record<N, number> {
  const found = names.map((name) => [name, numberIn(fields, name)] as const)
  return Object.fromEntries(found) as Record<N, number>
}

function optionalIn<N extends string>(
  fields: Fields,
  ...names: readonly N[]
): Partial<Record<N, number>> {
  return numbersIn(fields, ...names.filter((name) => fields[name] !== undefined))
}

function choiceIn<T extends string>(fields: Fields, name: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === fields[name])
  if (found !== undefined) return found
  throw expected(`${choices.join(', ')} as ${name}`, fields[name])
}

const expected = (what: string, got: unknown): Error =>
  new Error(`expected ${what}, got ${inWords(got).slice(0, 60)}`)

/** What is nested deeper than the stack goes is not worth a word more. */
function inWords(got: unknown): string {
  if (typeof got !== 'object' || got === null) return JSON.stringify(got) ?? 'nothing'
  return Array.isArray(got) ? `a list of ${got.length}` : 'an object'
}
