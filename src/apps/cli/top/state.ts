/** What `mbcas top` shows, and what a key makes of it. Pure: the same keys give the same screen. */
import { nodeSorts } from './nodes.ts'
import { podSorts } from './pods.ts'
import type { TopKind } from './top.ts'

export type TopState = {
  readonly kind: TopKind
  /** Only the pods of this node. */
  readonly node: string | undefined
  /** The pod that is explained instead of the table. */
  readonly opened: string | undefined
  readonly isHelp: boolean
  readonly sort: Readonly<Record<TopKind, string>>
  readonly chosen: string | undefined
  /** Keys as they were shown; undefined: sort anew. */
  readonly order: readonly string[] | undefined
}

const sortNames: Readonly<Record<TopKind, readonly string[]>> = {
  nodes: nodeSorts.map(({ name }) => name),
  pods: podSorts.map(({ name }) => name),
}

export const startState = (kind: TopKind, sort?: string): TopState => ({
  kind,
  node: undefined,
  opened: undefined,
  isHelp: false,
  sort: {
    nodes: sortNames.nodes[0] ?? '',
    pods: sortNames.pods[0] ?? '',
    ...(sort !== undefined && { [kind]: sort }),
  },
  chosen: undefined,
  order: undefined,
})

type Seen = {
  /** Keys of the rows, in the order in which they are shown. */
  readonly keys: readonly string[]
  /** Rows on a screen. */
  readonly page: number
}

export function press(state: TopState, key: string, { keys, page }: Seen): TopState | 'quit' {
  if (key === 'q' || key === 'ctrl-c' || key === 'ctrl-d') return 'quit'
  if (key === '?') return { ...state, isHelp: !state.isHelp }
  if (state.isHelp) return { ...state, isHelp: false }
  if (key === 'n' || key === 'p') return show(state, key === 'n' ? 'nodes' : 'pods')
  if (['escape', 'backspace', 'left', 'h'].includes(key)) return back(state)
  if (state.opened !== undefined) return state
  if (key === 's') return nextSort(state)
  if (key === 'enter' || key === 'right' || key === 'l') return open(state, keys)
  const step = stepOf(key, { keys, page })
  if (step === undefined || keys.length === 0) return state
  const at = Math.max(0, keys.indexOf(state.chosen ?? ''))
  const next = Math.min(keys.length - 1, Math.max(0, at + step))
  return { ...state, chosen: keys[next] }
}

const show = (state: TopState, kind: TopKind): TopState => ({
  ...state,
  kind,
  node: undefined,
  opened: undefined,
  chosen: undefined,
  order: undefined,
})

/** From a pod to its table, from the pods of a node to the nodes. */
function back(state: TopState): TopState {
  if (state.opened !== undefined) return { ...state, opened: undefined }
  return state.node === undefined ? state : { ...show(state, 'nodes'), chosen: state.node }
}

function nextSort(state: TopState): TopState {
  const names = sortNames[state.kind]
  const next = names[(names.indexOf(state.sort[state.kind]) + 1) % names.length] ?? ''
  return { ...state, order: undefined, sort: { ...state.sort, [state.kind]: next } }
}

function open(state: TopState, keys: readonly string[]): TopState {
  const chosen = state.chosen ?? keys[0]
  if (chosen === undefined) return state
  if (state.kind === 'pods') return { ...state, chosen, opened: chosen }
  return { ...show(state, 'pods'), node: chosen }
}

function stepOf(key: string, { keys, page }: Seen): number | undefined {
  switch (key) {
    case 'j':
    case 'down':
      return 1
    case 'k':
    case 'up':
      return -1
    case ' ':
    case 'page-down':
      return page
    case 'page-up':
      return -page
    case 'g':
    case 'home':
      return -keys.length
    case 'G':
    case 'end':
      return keys.length
    default:
      return undefined
  }
}
