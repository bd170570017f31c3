/**
 * A pod gets back what it had before MBCAS first changed it: by the same rules as any resize, but with
 * no cooldown, and to the last millicore, though the kernel may not tell it from what it has.
 */
import { ofName } from './containers.ts'
import { decideResize } from './decide.ts'
import type {
  ContainerCpu,
  CpuField,
  ResizeDecision,
  ResizeQuestion,
  ResizeReason,
} from './types.ts'

export function decideRestore(
  question: ResizeQuestion,
  original: readonly ContainerCpu[],
): ResizeDecision {
  const decision = decideResize({
    ...question,
    desired: original,
    mode: 'auto',
    urgency: 'normal',
    excluded: undefined,
    managesGuaranteed: true,
    horizontalAutoscaler: undefined, // it measures by the request that it was set up with
    sinceResizeMillis: undefined,
  })
  const message = `restoring the original values: ${decision.message}`
  if (decision.action === 'resize') return { ...decision, reason: asRestoring(decision), message }
  if (decision.action !== 'done') return { ...decision, message }
  // Refused once, it is let be: the kernel has it already.
  const to = question.infeasible === undefined ? inexact(original, question.pod?.spec ?? []) : []
  return to.length === 0
    ? { ...decision, reason: 'Restored', message: 'has its original values' }
    : { ...decision, action: 'resize', reason: 'Restoring', message, to }
}

/** What cuts it keeps its name, but a step on the way is what restoring is. */
const asRestoring = ({ reason }: ResizeDecision): ResizeReason =>
  reason === 'Resizing' || reason === 'StepClamped' ? 'Restoring' : reason

/** Where the spec has another amount, be it one that the kernel cannot tell apart. */
const inexact = (original: readonly ContainerCpu[], spec: readonly ContainerCpu[]) =>
  original.filter((wanted) => {
    const has = ofName(spec, wanted.name)
    const isOff = (field: CpuField) =>
      wanted[field] !== undefined && has?.[field] !== undefined && wanted[field] !== has[field]
    return isOff('request') || isOff('limit')
  })
