/** What the log says of one turn. */
import type { Move } from '../../../core/guardrail/fund-raises.ts'
import type { Log } from '../../../ports/log.ts'
import { messages } from '../messages.ts'
import type { Memory } from './decide.ts'
import type { Market } from './market.ts'

export type Turn = {
  readonly before: Memory
  readonly after: Memory
  readonly moves: readonly Move[]
}

export function tellTurn(log: Log, { before, after, moves }: Turn): void {
  tellMode(log, before.market, after.market)
  for (const [path, { tracked, guard }] of after.groups) {
    const { rates, law, demandCores: smoothed } = tracked
    if (tracked.dropped !== undefined) {
      log('debug', 'sample dropped', { group: path, reason: tracked.dropped.dropped })
      continue
    }
    if (rates === undefined || law === undefined) continue
    const { throttledRatio } = rates
    log('debug', messages.demandSample, {
      group: path,
      raw: law.estimateCores,
      smoothed,
      throttledRatio,
      rung: guard?.rung,
    })
  }
  for (const { id: group, from, to, reason } of moves) {
    const { guard, tracked } = after.groups.get(group) ?? {}
    const isRescue = guard?.raiseTo !== undefined && reason.startsWith(guard.reason)
    const told = { group, demand: tracked?.demandCores, from, to, reason }
    if (isRescue) log('warn', messages.guardrailTriggered, { ...told, rung: guard?.rung })
    else log('debug', messages.decision, told)
  }
}

function tellMode(log: Log, before: Market | undefined, after: Market | undefined): void {
  const from = before?.clearing.mode
  if (after === undefined || from === after.clearing.mode) return
  const { mode: to, price } = after.clearing
  const shares = [...(after.targets ?? [])].map(([group, { amount }]) => [group, amount])
  log('info', messages.modeChanged, { from, to, price, shares: Object.fromEntries(shares) })
}
