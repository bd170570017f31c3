/** `mbcas top`: nodes or pods in a table, printed once. */
import type { Clock } from '../../../ports/clock.ts'
import type { Kube } from '../../../ports/kube.ts'
import { linesOf, type Style, type View } from '../output.ts'
import { type Sheet, sheetLines, sortRows } from '../sheet.ts'
import { soldRatio } from '../status/cluster-summary.ts'
import { nodeSheet } from '../status/node-sheet.ts'
import { clusterLines, modeLines } from '../status/status-text.ts'
import { readSummary } from '../status/status.ts'
import { nodeSorts, readNodeRows } from './nodes.ts'
import { podSheet, podSorts, readPodRows } from './pods.ts'

export type TopKind = 'nodes' | 'pods'

export type TopWish = {
  readonly kind: TopKind
  /** Of pods. */
  readonly namespace?: string | undefined
  /** Labels of what is shown. */
  readonly selector?: string | undefined
  /** Only the pods of this node. */
  readonly node?: string | undefined
  readonly sort?: string | undefined
}

type Source = { readonly kube: Pick<Kube, 'list'>; readonly clock: Pick<Clock, 'wall'> }

export type TopPage = {
  /** Two lines on the cluster as a whole, and below them its mode if that is not the usual one. */
  readonly above: (style: Style) => readonly string[]
  readonly soldRatio: number
  readonly sheet: Sheet
  /** The same for programs. */
  readonly rows: readonly unknown[]
  /** What could not be learnt, with the remedy. */
  readonly note: string | undefined
}

export async function readTop({ kube, clock }: Source, wish: TopWish): Promise<TopPage> {
  const isOfNodes = wish.kind === 'nodes'
  const [summary, ofPods] = await Promise.all([
    readSummary(kube, clock, { selector: isOfNodes ? wish.selector : undefined }),
    isOfNodes ? undefined : readPodRows(kube, wish),
  ])
  const page = {
    above: (style: Style) => [...clusterLines(summary, style), ...modeLines(summary, style)],
    soldRatio: soldRatio(summary.cpu),
  }
  if (ofPods !== undefined) {
    const rows = sortRows(ofPods.rows, podSorts, wish.sort)
    return { ...page, sheet: podSheet(rows, wish), rows, note: noteOf(ofPods.hasUsage) }
  }
  const ofNodes = await readNodeRows(kube, summary)
  const rows = sortRows(ofNodes.rows, nodeSorts, wish.sort)
  const sheet = nodeSheet(rows, { now: Date.parse(summary.at), hasUsed: true })
  return { ...page, sheet, rows, note: noteOf(ofNodes.hasUsage) }
}

const noteOf = (hasUsage: boolean): string | undefined =>
  hasUsage ? undefined : 'USED is not known: the cluster has no metrics.k8s.io; see metrics-server'

export async function topView(source: Source, wish: TopWish): Promise<View> {
  const { above, sheet, rows, note } = await readTop(source, wish)
  const kind = wish.kind === 'nodes' ? 'node' : 'pod'
  return {
    data: rows,
    names: sheet.rows.map(({ key }) => `${kind}/${key.split('/').at(-1)}`),
    text: (style) =>
      linesOf([
        ...above(style),
        '',
        ...sheetLines(sheet, style),
        ...(note === undefined ? [] : [style.paint(note, 'faint')]),
      ]),
  }
}
