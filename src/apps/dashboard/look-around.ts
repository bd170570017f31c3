/**
 * Asks the agents what they know: those that somebody looks at every turn, all others in a rotation, so
 * that a thousand nodes are seen twice a minute and no turn asks more than it can.
 *
 *   nodes   asked a turn besides those looked at   each one every
 *   32      32                                     1 s
 *   1,000   34                                     30 s
 *   5,000   64                                     79 s
 */
import type { NodeView } from '../../apis/node-view.ts'
import type { NodePlace, NodeViews } from '../../ports/node-views.ts'

export type LookAround = {
  /** One turn; resolves when all that were asked have answered, or the time limit is over. */
  readonly turn: (signal: AbortSignal) => Promise<void>
}

export type LookNeeds = {
  readonly nodeViews: NodeViews
  readonly nodes: () => readonly string[]
  readonly placeOf: (node: string) => NodePlace
  /** Those that somebody looks at. */
  readonly lookedAt: () => ReadonlySet<string>
  readonly answered: (answer: NodeView, isFine: boolean) => void
  readonly failed: (node: string, trouble: string, isFine: boolean) => void
}

/** So few are asked every turn. */
const FEW = 32
const ROTATION_TURNS = 30
const MOST_A_TURN = 64

export function createLookAround(needs: LookNeeds): LookAround {
  const { nodeViews, placeOf } = needs
  /** Names that are asked now: nobody is asked twice at a time. */
  const underWay = new Set<string>()
  let next = 0

  const ask = async (name: string, isFine: boolean, signal: AbortSignal): Promise<void> => {
    if (underWay.has(name)) return
    underWay.add(name)
    try {
      needs.answered(await nodeViews.read(placeOf(name), signal), isFine)
    } catch (error) {
      if (!signal.aborted) needs.failed(name, (error as Error).message, isFine)
    } finally {
      underWay.delete(name)
    }
  }

  return {
    turn: async (signal) => {
      const nodes = needs.nodes()
      const areFew = nodes.length <= FEW
      const count = areFew
        ? nodes.length
        : Math.min(MOST_A_TURN, Math.ceil(nodes.length / ROTATION_TURNS))
      const first = nodes.length === 0 ? 0 : next % nodes.length
      const turn = [...nodes.slice(first), ...nodes.slice(0, first)].slice(0, count)
      next = first + count
      const known = new Set(nodes)
      const lookedAt = [...needs.lookedAt()].filter((name) => known.has(name))
      const fine = new Set(areFew ? turn : lookedAt)
      const asked = new Set([...lookedAt, ...turn])
      await Promise.all(Array.from(asked, async (name) => ask(name, fine.has(name), signal)))
    },
  }
}
