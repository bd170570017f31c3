/** `mbcas status` for a person: three questions answered in a screen of 80 columns. */
import type { Mode } from '../../../core/market/clear.ts'
import { linesOf, type Style } from '../output.ts'
import type { Emphasis, Paint } from '../paint.ts'
import {
  bar,
  type Cell,
  count,
  shorten,
  showAge,
  showMillicores,
  showPrice,
  showShare,
  table,
  wrap,
} from '../show.ts'
import { type Change, type ClusterSummary, type NodeSummary, soldRatio } from './cluster-summary.ts'

/** Of a long list, as much as a glance takes. */
const shown = { nodes: 10, holders: 3, changes: 3 }
const widest = 80

export function statusText(summary: ClusterSummary, style: Style): string {
  const width = style.isWide ? Infinity : Math.min(style.width, widest)
  const fitted = { ...style, width }
  if (summary.nodes === 0) return linesOf(wrap(nothingYet, width, 0))
  return linesOf([
    ...clusterLines(summary, fitted),
    ...marketLines(summary, fitted),
    '',
    ...nodeTable(summary, fitted),
    ...holderTable(summary, fitted),
    ...changeLines(summary, fitted),
  ])
}

const nothingYet =
  'No node has a market yet. Is an agent running on each node (mbcas agent --node NAME)? ' +
  'Its first market comes within 15 seconds.'

const emphasisOf: Readonly<Record<Mode, Emphasis>> = {
  uncongested: 'good',
  congested: 'warning',
  overloaded: 'bad',
}

export const modeCell = (mode: Mode): Cell => ({ text: mode, emphasis: emphasisOf[mode] })

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
  if (sufferingPods > 0) return paint(`${sufferingPods} of ${count(pods, 'pod')} suffer`, 'bad')
  const isTold = markets.some((node) => node.sufferingPods !== null)
  return isTold
    ? paint(`None of ${count(pods, 'pod')} suffers`, 'good')
    : 'Who suffers is not told: are the agents older than this?'
}

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
      : `${showPrice(price.price)} a millicore${price.price === 0 ? '' : ` on ${price.node}`}`
  return [`reserved ${showMillicores(cpu.reserve)}${outside}`, shorten(`price ${highest}`, width)]
}

/** Of pods that take no part, if there are any. */
export const outsideText = (held: number, pods: number): string =>
  pods === 0 ? '' : `, held ${showMillicores(held)} by ${count(pods, 'pod')} outside the market`

function nodeTable(summary: ClusterSummary, { width, isWide, paint }: Style): string[] {
  const { markets, at } = summary
  const now = Date.parse(at)
  const rows = isWide ? markets : markets.slice(0, shown.nodes)
  const columns = [
    { title: 'NODE', align: 'left', shrinks: true },
    { title: 'MODE', align: 'left' },
    { title: 'SOLD', align: 'right' },
    { title: 'OF', align: 'right' },
    { title: '', align: 'left' },
    { title: 'PRICE', align: 'right' },
    { title: 'SUFFER', align: 'right' },
    ...(isWide ? wideColumns : []),
  ] as const
  const cells = rows.map((node): Cell[] => [
    node.node,
    node.isSilent
      ? { text: `silent ${showAge(now - Date.parse(node.clearedAt))}`, emphasis: 'bad' }
      : modeCell(node.mode),
    showMillicores(node.sold),
    showMillicores(node.capacity),
    bar(soldRatio(node), 10),
    node.price === null ? 'none' : showPrice(node.price),
    sufferingCell(node),
    ...(isWide ? wideCells(node, now) : []),
  ])
  const left = markets.length - rows.length
  const more = left > 0 ? [`and ${count(left, 'more node')}: mbcas status -o wide, mbcas top`] : []
  return [...table(columns, cells, { width, paint }), ...more]
}

const wideColumns = [
  { title: 'ALLOCATABLE', align: 'right' },
  { title: 'RESERVE', align: 'right' },
  { title: 'HELD', align: 'right' },
  { title: 'UNMANAGED', align: 'right' },
  { title: 'MECHANISM', align: 'left' },
  { title: 'CLEARED', align: 'right' },
] as const

const wideCells = (node: NodeSummary, now: number): Cell[] => [
  showMillicores(node.allocatable),
  showMillicores(node.reserve),
  showMillicores(node.held),
  String(node.unmanagedPods),
  node.mechanism,
  showAge(now - Date.parse(node.clearedAt)),
]

export function sufferingCell({ sufferingPods, pods }: NodeSummary): Cell {
  if (sufferingPods === null) return `?/${pods}`
  const text = `${sufferingPods}/${pods}`
  return sufferingPods === 0 ? text : { text, emphasis: 'bad' }
}

function holderTable({ holders }: ClusterSummary, { width, isWide, paint }: Style): string[] {
  const rows = isWide ? holders : holders.slice(0, shown.holders)
  if (rows.length === 0) return []
  const columns = [
    { title: 'HOLDS MOST', align: 'left', shrinks: true },
    { title: 'CPU', align: 'right' },
    { title: 'NODE', align: 'left' },
  ] as const
  const cells = rows.map(({ pod, amount, node }) => [pod, showMillicores(amount), node])
  return ['', ...table(columns, cells, { width, paint })]
}

function changeLines({ changes, at }: ClusterSummary, style: Style): string[] {
  const rows = style.isWide ? changes : changes.slice(0, shown.changes)
  if (rows.length === 0) return []
  const now = Date.parse(at)
  return ['', 'CHANGED', ...rows.flatMap((change) => changeText(change, now, style))]
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
