/** What the log says of one turn. */
import { isInLane } from '../../../core/enforcement/lane.ts'
import { isUsedUp } from '../../../core/enforcement/protection.ts'
import { isHurt } from '../../../core/enforcement/standing.ts'
import { showMillicores } from '../../../core/quantity.ts'
import type { Log } from '../../../ports/log.ts'
import { messages } from '../messages.ts'
import type { Memory } from './decide.ts'
import type { Group } from './group.ts'
import type { GroupChange } from './journal.ts'
import type { Market } from './market.ts'

export type Turn = {
  readonly before: Memory
  readonly after: Memory
  readonly changes: readonly GroupChange[]
}

export function logTurn(log: Log, { before, after, changes }: Turn): void {
  logMode(log, before.market, after.market)
  logProtection(log, before, after)
  for (const [path, { tracked, verdict, credits, waiting }] of after.groups) {
    const { rates, level, demandCores: smoothed } = tracked
    if (tracked.dropped !== undefined) {
      log('debug', 'sample dropped', { group: path, reason: tracked.dropped.dropped })
      continue
    }
    if (rates === undefined || level === undefined) continue
    const { throttledRatio } = rates
    log('debug', messages.demandSample, {
      group: path,
      raw: level.estimate,
      smoothed,
      throttledRatio,
      waitedCores: tracked.waitedCores,
      waitedRatio: waiting.waitedRatio,
      credits,
      state: verdict.state,
    })
  }
  if (changes.length === 0) return
  const weights = [...after.groups.values()].reduce(
    (sum, group) => sum + weightIn(after.market, group),
    0,
  )
  for (const { place, shares: weight, quotaMicros } of changes) {
    const group = after.groups.get(place.path)
    if (group === undefined) continue
    log('debug', messages.decision, {
      group: place.path,
      demand: group.tracked.demandCores,
      weight,
      quotaMicros,
      reason: reasonOf(group, { ...after, weights }),
    })
  }
}

function logMode(log: Log, before: Market | undefined, after: Market | undefined): void {
  const from = before?.clearing.mode
  if (after === undefined || from === after.clearing.mode) return
  const { mode: to, price } = after.clearing
  log('info', messages.modeChanged, {
    from,
    to,
    price,
    givenMilli: Object.fromEntries(after.given),
  })
}

function logProtection(log: Log, before: Memory, { groups, protection }: Memory): void {
  const { held: was } = before.protection
  const { held, restSeconds } = protection
  if (was.size === 0 && held.size === 0) return
  for (const [group, to] of held) {
    const taker = groups.get(group)
    if (was.has(group) || taker === undefined) continue
    const reason = `uses ${cpu(taker.waiting.usedCores)}, above its floor of ${cpu(taker.entitled / 1000)}, while ${sufferersIn(groups)}`
    log('warn', 'group held back', { group, to, reason })
  }
  for (const group of was.keys()) {
    if (held.has(group)) continue
    const reason =
      restSeconds > 0
        ? 'holding it back did not help'
        : isUsedUp(protection, group)
          ? 'it was held back for a minute in five'
          : endOf(groups.get(group))
    log('info', 'group no longer held back', { group, reason })
  }
}

const endOf = (group: Group | undefined): string =>
  group === undefined ? 'the group is gone' : 'nobody suffers from it any longer'

const sufferersIn = (groups: Memory['groups']): string =>
  [...groups]
    .filter(([, group]) => isHurt(group, false))
    .map(
      ([path, group]) =>
        `${path} waits for a CPU ${percent(group.waiting.waitedRatio)} of the time`,
    )
    .join(' and ')

type Reasons = Pick<Memory, 'market' | 'protection'> & { readonly weights: number }

function reasonOf(group: Group, { market, protection, weights }: Reasons): string {
  const { rules, credits } = group
  if (rules.exclusive !== undefined) return 'has CPUs of its own'
  const held = protection.held.get(rules.path)
  const most = held === undefined ? '' : `; held to ${showMillicores(held)} for now`
  if (isInLane(credits)) return `comes first, since it used less than its floor${most}`
  const share = percent(weightIn(market, group) / weights)
  return `gets ${share} of the machine while it is full, and all it wants otherwise${most}`
}

/** Outside the fast lane, in millicores. */
const weightIn = (market: Market | undefined, { rules, entitled }: Group): number =>
  rules.exclusive === undefined ? Math.max(market?.given.get(rules.path) ?? 0, entitled) : 0

const percent = (ratio: number): string => `${Math.round(ratio * 100)} %`
const cpu = (cores: number): string => showMillicores(Math.round(cores * 1000))
