/**
 * The next step of a DaemonSet's rolling update: which outdated pods go, and on which nodes a new pod
 * comes while the old one still serves. Without surge at most `maxUnavailable` nodes lack a pod that is
 * available; with it at most `maxSurge` nodes have two.
 */
export type NodePods<P> = {
  readonly node: string
  readonly shouldRun: boolean
  readonly outdated?: P | undefined
  readonly updated?: P | undefined
}

type Step<P> = { readonly remove: readonly P[]; readonly create: readonly string[] }

export function nextStep<P>(
  nodes: readonly NodePods<P>[],
  by: {
    readonly maxSurge: number
    readonly maxUnavailable: number
    readonly isAvailable: (pod: P) => boolean
  },
): Step<P> {
  return by.maxSurge > 0 ? surge(nodes, by) : replace(nodes, by)
}

type Limits<P> = Parameters<typeof nextStep<P>>[1]

function replace<P>(nodes: readonly NodePods<P>[], { maxUnavailable, isAvailable }: Limits<P>) {
  const broken: P[] = []
  const serving: P[] = []
  let missing = 0
  for (const { outdated, updated } of nodes) {
    if (outdated === undefined) {
      if (updated === undefined || !isAvailable(updated)) missing += 1
    } else if (updated !== undefined || !isAvailable(outdated)) {
      missing += 1
      if (updated === undefined) broken.push(outdated)
    } else serving.push(outdated)
  }
  const room = Math.max(0, maxUnavailable - missing)
  return { remove: [...broken, ...serving.slice(0, room)], create: [] }
}

function surge<P>(nodes: readonly NodePods<P>[], { maxSurge, isAvailable }: Limits<P>): Step<P> {
  const remove: P[] = []
  const broken: string[] = []
  const serving: string[] = []
  let doubled = 0
  for (const { node, shouldRun, outdated, updated } of nodes) {
    if (outdated === undefined) continue
    if (updated !== undefined) {
      if (isAvailable(updated)) remove.push(outdated)
      else doubled += 1
    } else if (shouldRun) (isAvailable(outdated) ? serving : broken).push(node)
    else remove.push(outdated)
  }
  return { remove, create: [...broken, ...serving.slice(0, Math.max(0, maxSurge - doubled))] }
}
