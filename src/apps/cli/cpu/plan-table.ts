/** A plan for a person: what each pod gets or why it is refused, then a picture of the machine. */
import type { Placement } from '../../../core/cpu/admission/admit.ts'
import { formatCpuSet } from '../../../core/cpu/cpu-set.ts'
import type { Hint } from '../../../core/cpu/hint.ts'
import type { Machine } from '../../../core/cpu/machine.ts'
import type { Block } from '../../../core/cpu/memory/state.ts'
import { formatBytes } from '../../../core/quantity.ts'
import { bytes } from '../../../core/units.ts'
import { visible } from '../../../core/visible.ts'
import { table, wrap } from '../show.ts'
import { drawMachine } from './picture.ts'
import { pinned, type Plan, type PodPlan } from './plan.ts'

const letters = 'ABCDEFGHIJKLMNOPQSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function planTable({ topology }: Machine, plan: Plan, width: number): string {
  const marks = new Map(plan.taken.map((cpu) => [cpu, '#']))
  const letterOf = new Map(
    pinned(plan).map((placement, i) => [placement, letters[i % letters.length] ?? '']),
  )
  // Later containers come last, and so stand where an init container has been.
  for (const [{ cpus }, letter] of letterOf) for (const cpu of cpus ?? []) marks.set(cpu, letter)
  for (const cpu of plan.reserved) marks.set(cpu, 'R')
  return [
    ...plan.pods.flatMap((pod) => [...podLines(pod, { letterOf, width }), '']),
    ...drawMachine(topology, { markOf: (cpu) => marks.get(cpu) ?? '.', width }),
    '',
    ...wrap(legendOf(plan, letterOf.size > 0), width, 0),
    '',
  ].join('\n')
}

const legendOf = ({ taken }: Plan, hasLetters: boolean): string =>
  [
    '. free, R reserved',
    ...(taken.length > 0 ? ['# of pods that run there'] : []),
    ...(hasLetters ? ['letters as above'] : []),
  ].join(', ')

const columns = [
  { title: '  CONTAINER', align: 'left' },
  { title: 'KIND', align: 'left' },
  { title: 'CPUS', align: 'left' },
  { title: 'MEMORY', align: 'left' },
  { title: 'NUMA HINT', align: 'left' },
  { title: 'DRAWN', align: 'left' },
] as const

type Show = {
  readonly letterOf: ReadonlyMap<Placement, string>
  readonly width: number
}

function podLines(plan: PodPlan, show: Show): string[] {
  const lines = plan.admitted ? admittedLines(plan, show) : refusedLines(plan, show)
  if (plan.overlooked.length === 0) return lines
  const note = `${plan.overlooked.join(', ')}: not looked at; near which NUMA nodes there are any may change the answer`
  return [...lines, ...indented(note, show)]
}

const indented = (text: string, { width }: Show): string[] =>
  wrap(text, width - 2, 0).map((line) => `  ${line}`)

function refusedLines({ pod, refusal }: PodPlan, show: Show): string[] {
  const { reason = '', message = '', why = '', container } = refusal ?? {}
  const where = container === undefined ? '' : ` at container ${container}`
  const said = why === message ? [] : indented(why, show)
  return [...wrap(`${pod}: refused${where}: ${reason}: ${message}`, show.width, 2), ...said]
}

function admittedLines({ pod, containers }: PodPlan, { letterOf }: Show): string[] {
  const rows = containers.map((placement) => [
    `  ${placement.name}`,
    placement.kind,
    placement.cpus === null ? 'shared' : formatCpuSet(placement.cpus),
    placement.memory.map(memoryText).join(' ') || '-',
    hintText(placement.hint),
    letterOf.get(placement) ?? '',
  ])
  return [`${visible(pod)}: admitted`, ...table(columns, rows)]
}

const memoryText = ({ resource, numa, bytes: size }: Block): string =>
  `${resource}=${formatBytes(bytes(size))}@${numa.join('+')}`

const hintText = ({ affinity, preferred }: Hint): string => {
  if (affinity === null) return 'any'
  return `${affinity.join()}${preferred ? ', preferred' : ''}`
}
