/** The screen of `mbcas top`: as many lines as it has rows. */
import type { ScreenSize } from '../../../ports/screen.ts'
import type { Style } from '../output.ts'
import type { Paint } from '../paint.ts'
import { keepOrder, narrow } from '../sheet.ts'
import { type Cell, count, sparkline, table, wrap } from '../show.ts'
import type { TopState } from './state.ts'
import type { TopPage } from './top.ts'

export type Scene = {
  readonly state: TopState
  /** Undefined until it was read. */
  readonly page: TopPage | undefined
  /** Of the opened pod. */
  readonly detail: string | undefined
  /** What went wrong at the last try; the page is of an earlier one. */
  readonly trouble: string | undefined
  /** Share of the capacity that was sold, over the last readings. */
  readonly history: readonly number[]
  /** Such as 12:04:31Z. */
  readonly time: string
}

/** Lines besides the rows: the cluster, a space or its mode, titles, trouble, keys. */
const around = 6
/** Readings that the sparkline shows. */
export const longestHistory = 20

export const rowsOn = ({ rows }: ScreenSize): number => Math.max(1, rows - around)

/** In the order in which they are shown. */
export const keysOf = ({ page, state }: Pick<Scene, 'page' | 'state'>): string[] =>
  page === undefined ? [] : keepOrder(page.sheet.rows, state.order).map(({ key }) => key)

export function drawTop(scene: Scene, size: ScreenSize, paint: Paint): string[] {
  const style = { width: size.columns, isWide: false, paint }
  const body = scene.state.isHelp ? help : mainLines(scene, size, style)
  const height = Math.max(0, size.rows - 2)
  const filled = [...body, ...Array<string>(height).fill('')].slice(0, height)
  return [...filled, troubleLine(scene, style), keysLine(scene, style)].slice(-size.rows)
}

function mainLines(scene: Scene, size: ScreenSize, style: Style): string[] {
  const { page, state, history, time } = scene
  if (page === undefined) return ['reading the cluster ...']
  const [first = '', second = '', note = ''] = page.above(style)
  const above = [first, `${second}  ${sparkline(history)}  ${time}`, note]
  if (state.opened !== undefined) return [...above, ...(scene.detail ?? 'reading ...').split('\n')]
  return [...above, ...tableLines(page, scene, size, style)]
}

function tableLines(
  { sheet }: TopPage,
  { state }: Scene,
  size: ScreenSize,
  style: Style,
): string[] {
  const { paint, width } = style
  const { columns, rows: all } = narrow(sheet)
  const rows = keepOrder(all, state.order)
  if (rows.length === 0) return [emptyText(state)]
  const chosen = Math.max(
    0,
    rows.findIndex(({ key }) => key === state.chosen),
  )
  const cells = rows.map((row, i) => (i === chosen ? row.cells.map(withoutEmphasis) : row.cells))
  const [titles = '', ...lines] = table(columns, cells, { width, paint })
  const height = rowsOn(size)
  const from = Math.floor(chosen / height) * height
  const shown = lines
    .slice(from, from + height)
    .map((line, i) => (from + i === chosen ? paint(line.padEnd(width), 'chosen') : line))
  return [paint(titles, 'strong'), ...shown]
}

const withoutEmphasis = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text)

const emptyText = ({ kind, node }: TopState): string =>
  kind === 'nodes'
    ? 'no node has a market yet: is an agent running on each?'
    : `no pod takes part${node === undefined ? '' : ` on ${node}`}: see mbcas explain pod`

function troubleLine({ trouble, page }: Scene, { paint, width }: Style): string {
  if (trouble !== undefined)
    return paint(wrap(`${trouble}; trying again`, width, 0)[0] ?? '', 'bad')
  return page?.note === undefined ? '' : paint(page.note, 'faint')
}

/** The keys first: what follows may be cut. */
function keysLine({ state, page }: Scene, { paint }: Style): string {
  const { kind, node, opened, sort } = state
  const total = page === undefined ? '' : count(page.sheet.rows.length, kind.slice(0, -1))
  const where = `${total}${node === undefined ? '' : ` of ${node}`} by ${sort[kind]}`
  return paint(
    opened === undefined
      ? `Enter open  s sort  n nodes  p pods  ? help  q quit  ${where}`
      : 'Esc back  n nodes  p pods  ? help  q quit',
    'faint',
  )
}

const help = [
  'mbcas top: who needs, gets and uses the CPUs, as it goes.',
  '',
  '  j k, arrows      down and up; Space and PageUp a page; g G to the ends',
  '  Enter            of a node its pods; of a pod why it has what it has',
  '  Esc, Backspace   back',
  '  n p              all nodes, all pods',
  '  s                sort by the next column; rows stay where they are until then',
  '  q, Ctrl-C        quit',
  '',
  'SOLD is what pods got of what is for sale (OF); USED is from a metrics server.',
  'SUFFER counts the pods of all that bid (1/2) that are late, or wait for a CPU',
  'while none is idle. The bar of a pod is its use of what it is ENTITLED to:',
  'within that it goes before other namespaces. A state with ! was published at',
  'once, since the pod suffered.',
  '',
  'Any key goes back.',
]
