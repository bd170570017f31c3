/** `mbcas explain allocation`: a PodAllocation in words. */
import { podAllocations } from '../../../apis/pod-allocation.ts'
import { visible } from '../../../core/visible.ts'
import { linesOf, row, type Style, type View } from '../output.ts'
import { orNothing } from '../read.ts'
import {
  decisionLines,
  explained,
  type ExplainedAllocation,
  showAmounts,
} from './allocation-facts.ts'
import type { Asking } from './asking.ts'
import { missing } from './missing.ts'
import { placeOf } from './place.ts'

const doing = 'explaining an allocation'

export async function explainAllocation(asking: Asking, given: string): Promise<View> {
  const { kube, clock, entries } = asking
  const place = placeOf(doing, given, asking)
  const found = await orNothing(kube.get(podAllocations, place))
  if (found === undefined) {
    throw await missing(kube, { doing, noun: 'PodAllocation', resource: podAllocations, ...place })
  }
  const now = clock.wall()
  const facts = { at: new Date(now).toISOString(), ...explained(found, entries) }
  return {
    data: facts,
    names: [`podallocation.${podAllocations.group}/${place.name}`],
    text: (style) => allocationText(facts, now, style),
  }
}

function allocationText(facts: ExplainedAllocation, now: number, style: Style): string {
  const { pod, node, isOverridden, applied } = facts
  const owner = isOverridden
    ? 'a person owns it (mbcas.io/override), and the agent leaves it alone'
    : `written by the agent${node === null ? '' : ` of ${node}`}`
  return linesOf([
    `${style.paint(visible(pod), 'strong')}: ${visible(owner)}`,
    ...row('has', showAmounts(applied), style),
    ...decisionLines(facts, { now, isEnforced: true }, style),
  ])
}
