/** `mbcas top` on a terminal: reads every so often, and listens to keys. */
import type { Clock } from '../../../ports/clock.ts'
import type { OpenScreen } from '../../../ports/screen.ts'
import { forTerminal, type Paint } from '../paint.ts'
import { drawTop, keysOf, longestHistory, rowsOn, type Scene } from './draw.ts'
import { press, startState, type TopState } from './state.ts'
import type { TopKind, TopPage, TopWish } from './top.ts'

type LiveNeeds = {
  readonly openScreen: OpenScreen
  readonly clock: Clock
  readonly paint: Paint
  readonly intervalMillis: number
  readonly read: (wish: TopWish) => Promise<TopPage>
  /** What is to be said of a pod. */
  readonly explain: (pod: string, width: number) => Promise<string>
  readonly wish: TopWish
}

/** Ends when somebody quits; throws if nothing could be read at all. */
export async function runLive(needs: LiveNeeds): Promise<void> {
  const { clock, paint, wish } = needs
  const over = new AbortController()
  let state: TopState = startState(wish.kind, wish.sort)
  let page: TopPage | undefined
  let detail: string | undefined
  let trouble: string | undefined
  let history: readonly number[] = []
  /** Ends the wait for the next reading. */
  let wake = new AbortController()

  const scene = (): Scene => {
    const time = `${new Date(clock.wall()).toISOString().slice(11, 19)}Z`
    return { state, page, detail, trouble, history, time }
  }
  const draw = (): void =>
    screen.draw(drawTop(scene(), screen.size(), paint).map((line) => forTerminal(line, paint)))

  const onKey = (key: string): void => {
    const keys = keysOf({ page, state })
    const next = press(state, key, { keys, page: rowsOn(screen.size()) })
    if (next === 'quit') {
      over.abort()
      wake.abort()
      return
    }
    const isOther = targetOf(next) !== targetOf(state)
    if (isOther) {
      detail = undefined
      if (next.kind !== state.kind || next.node !== state.node) page = undefined
      wake.abort()
    }
    state = next
    draw()
  }

  const read = async (): Promise<void> => {
    const asked = state
    const { kind, node, opened } = asked
    const [found, text] = await Promise.all([
      needs.read({ ...wish, ...selectorFor(wish, kind), kind, node, sort: asked.sort[kind] }),
      opened === undefined ? undefined : needs.explain(opened, screen.size().columns),
    ])
    if (targetOf(asked) !== targetOf(state)) return
    page = found
    detail = text
    trouble = undefined
    history = [...history, found.soldRatio].slice(-longestHistory)
    state = { ...state, order: keysOf({ page, state }) }
  }

  const screen = needs.openScreen({ onKey, onResize: draw })
  try {
    draw()
    while (!over.signal.aborted) {
      wake = new AbortController()
      try {
        await read()
      } catch (error) {
        if (history.length === 0) throw error
        trouble = (error as Error).message
      }
      if (over.signal.aborted) break
      draw()
      await clock.sleep(needs.intervalMillis, wake.signal)
    }
  } finally {
    screen.close()
  }
}

/** What is read; another one must not be shown under its name. */
const targetOf = ({ kind, node, opened, sort }: TopState): string =>
  JSON.stringify([kind, node, opened, sort[kind]])

/** Labels are of what the command was started with: of nodes or of pods. */
const selectorFor = (wish: TopWish, kind: TopKind) => ({
  selector: kind === wish.kind ? wish.selector : undefined,
})
