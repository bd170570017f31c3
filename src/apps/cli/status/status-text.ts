/** `mbcas status` for a person: three questions answered in a screen of 80 columns. */
import { visible } from '../../../core/visible.ts'
import { linesOf, type Style } from '../output.ts'
import type { Paint } from '../paint.ts'
import { sheetLines } from '../sheet.ts'
import {
  bar,
  count,
  shorten,
  showAge,
  showMillicores,
  showPrice,
  showShare,
  table,
  wrap,
} from '../show.ts'
import { type Change, type ClusterSummary, soldRatio, type Suffering } from './cluster-summary.ts'
import { nodeSheet } from './node-sheet.ts'

/** Of a long list, as much as a glance takes. */
const shown = { nodes: 10, troubled: 5, holders: 3, changes: 3 }
/** Beside pods in trouble there is less room for the rest. */
const shownInTrouble = { nodes: 5, changes: 1 }

const roomIn = ({ suffering, heldBack }: ClusterSummary): typeof shownInTrouble =>
  suffering.length + heldBack.length > 0 ? shownInTrouble : shown
const widest = 80

export function statusText(summary: ClusterSummary, style: Style): string {
  const width = style.isWide ? Infinity : Math.min(style.width, widest)
  const fitted = { ...style, width }
  if (summary.nodes === 0) {
    return linesOf([...modeLines(summary, fitted), ...wrap(nothingYet, width, 0)])
  }
  return linesOf([
    ...modeLines(summary, fitted),
    ...clusterLines(summary, fitted),
    ...marketLines(summary, fitted),
    '',
    ...nodeTable(summary, fitted),
    ...sufferingLines(summary, fitted),
    ...heldBackLines(summary, fitted),
    ...holderTable(summary, fitted),
    ...changeLines(summary, fitted),
  ])
}

const nothingYet =
  'No node has a market yet. Is an agent running on each node (mbcas agent --node NAME)? ' +
  'Its first market comes within 15 seconds.'

/** First of all: without it the rest would look as if it were acted on. */
export const modeLines = ({ settings }: ClusterSummary, { width, paint }: Style): string[] =>
  settings.note === null
    ? []
    : wrap(visible(settings.note), width, 0).map((line) => paint(line, 'warning'))

function headline(summary: ClusterSummary, { paint }: Style): string {
  const { nodes, silentNodes, modes } = summary
  const short = modes.congested + modes.overloaded
  const parts = [
    sufferingText(summary, paint),
    short === 0
      ? `${count(nodes, 'node')} with enough CPU for all`
      : paint(`${short} of ${count(nodes, 'node')} short of CPU`, 'warning'),
    ...(modes.overloaded > 0 ? [paint(`${modes.overloaded} overloaded`, 'bad')] : []),
    ...(silentNodes > 0 ? [paint(`${count(silentNodes, 'agent')} silent`, 'bad')] : []),
  ]
  return parts.join('; ')
}

function sufferingText({ pods, sufferingPods, markets }: ClusterSummary, paint: Paint): string {
  if (sufferingPods > 0) return paint(sufferingOf(sufferingPods, pods), 'bad')
  const isTold = markets.some((node) => node.sufferingPods !== null)
  return isTold
    ? paint(`None of ${count(pods, 'pod')} suffers`, 'good')
    : 'Nobody reports who suffers: are the agents older than this?'
}

/** `1 of 10 pods suffers`, `2 of 10 pods suffer`. */
export const sufferingOf = (suffering: number, pods: number): string =>
  `${suffering} of ${count(pods, 'pod')} ${suffering === 1 ? 'suffers' : 'suffer'}`

/** Who suffers, and how much of the capacity is taken. */
export function clusterLines(summary: ClusterSummary, style: Style): string[] {
  const { sold, capacity } = summary.cpu
  const amounts = `${showMillicores(sold)} of ${showMillicores(capacity)} sold`
  return [
    headline(summary, style),
    `${bar(soldRatio(summary.cpu), 24)}  ${amounts} (${showShare(sold, capacity)})`,
  ]
}

function marketLines({ cpu, price, unmanagedPods }: ClusterSummary, { width }: Style): string[] {
  const outside = outsideText(cpu.held, unmanagedPods)
  const highest =
    price === null
      ? 'none'
      : `${showPrice(price.price)} per millicore${price.price === 0 ? '' : ` on ${price.node}`}`
  return [`reserved ${showMillicores(cpu.reserve)}${outside}`, shorten(`price ${highest}`, width)]
}

/** Of pods that take no part, if there are any. */
export const outsideText = (held: number, pods: number): string =>
  pods === 0 ? '' : `, held ${showMillicores(held)} by ${count(pods, 'pod')} outside the market`

function nodeTable(summary: ClusterSummary, style: Style): string[] {
  const { markets, at, sufferingPods } = summary
  const nodes = style.isWide ? markets : markets.slice(0, roomIn(summary).nodes)
  const left = markets.length - nodes.length
  const more = left > 0 ? [`and ${count(left, 'more node')}: mbcas status -o wide, mbcas top`] : []
  const sheet = nodeSheet(nodes, { now: Date.parse(at), hasUsed: false })
  return [...sheetLines(sheet, style), ...more, ...(sufferingPods > 0 ? [whoSuffers] : [])]
}

const whoSuffers = 'SUFFER: pods that are late, or wait for a CPU while none is idle'

const sufferingLines = ({ suffering }: ClusterSummary, style: Style): string[] =>
  named('SUFFERING', suffering, { style, why: ({ reason }) => reason })

const heldBackLines = ({ heldBack }: ClusterSummary, style: Style): string[] =>
  named('HELD BACK', heldBack, {
    style,
    why: ({ to, reason }) => `to ${showMillicores(to)} ${reason}`,
  })

type Naming<T> = { readonly style: Style; readonly why: (one: T) => string }

/** A line each; the node, whose name may be long, only where there is room. */
function named<T extends Suffering>(
  title: string,
  all: readonly T[],
  { style: { width, isWide, paint }, why }: Naming<T>,
): string[] {
  if (all.length === 0) return []
  const rows = isWide ? all : all.slice(0, shown.troubled)
  const left = all.length - rows.length
  const more = left > 0 ? [`and ${left} more: mbcas status -o wide`] : []
  const lines = rows.map((one) => {
    const who = shorten(isWide ? `${one.pod} on ${one.node}` : one.pod, width / 2)
    return `${paint(who, 'strong')} ${shorten(why(one), width - who.length - 1)}`
  })
  return ['', title, ...lines, ...more]
}

function holderTable({ holders }: ClusterSummary, { width, isWide, paint }: Style): string[] {
  const rows = isWide ? holders : holders.slice(0, shown.holders)
  if (rows.length === 0) return []
  const columns = [
    { title: 'USES MOST', align: 'left', shrinks: true },
    { title: 'NODE', align: 'left' },
    { title: 'CPU', align: 'right' },
  ] as const
  const cells = rows.map(({ pod, node, amount }) => [pod, node, showMillicores(amount)])
  return ['', ...table(columns, cells, { width, paint })]
}

function changeLines(summary: ClusterSummary, style: Style): string[] {
  const { changes, at } = summary
  const rows = style.isWide ? changes : changes.slice(0, roomIn(summary).changes)
  if (rows.length === 0) return []
  const now = Date.parse(at)
  return ['', 'REQUESTS CHANGED', ...rows.flatMap((change) => changeText(change, now, style))]
}

/** When, how much and who; below it, why. */
function changeText(change: Change, now: number, { width, paint }: Style): string[] {
  const { at, pod, node, from, to, reason } = change
  const age = `${showAge(now - Date.parse(at))} ago`.padEnd(9)
  const amounts = `${showMillicores(from)} to ${showMillicores(to)}`
  const who = shorten(`${pod} on ${node}`, width - age.length - amounts.length - 2)
  const why = wrap(reason, width - age.length, 0).map((line) => ' '.repeat(age.length) + line)
  return [`${age}${paint(amounts, 'strong')}  ${who}`, ...why]
}
