/** Which pods of lower priority would have to go for a pod to fit, and from which node. */
import type { Charge } from '../nodes/charge.ts'
import type { NodeState, PodCharge } from './node-state.ts'

type Preemption = { readonly state: NodeState; readonly victims: readonly PodCharge[] }

const priorityOf = ({ pod }: PodCharge): number => pod.spec.priority ?? 0

/** The node whose victims matter least: by the highest priority among them, their number, the name. */
export function choosePreemption(
  states: readonly NodeState[],
  { asked, priority }: { readonly asked: Charge; readonly priority: number },
): Preemption | undefined {
  const options = states.flatMap((state): (Preemption & { highest: number })[] => {
    const victims = victimsOn(state, asked, priority)
    if (victims.length === 0) return []
    return [{ state, victims, highest: Math.max(...victims.map(priorityOf)) }]
  })
  return options.toSorted(
    (a, b) =>
      a.highest - b.highest ||
      a.victims.length - b.victims.length ||
      (a.state.name < b.state.name ? -1 : 1),
  )[0]
}

/** All of lower priority are taken away in thought; then those that still fit stay, the highest first. */
function victimsOn(state: NodeState, asked: Charge, priority: number): readonly PodCharge[] {
  const lower = [...state.pods.values()]
    .filter((one) => priorityOf(one) < priority)
    .toSorted(
      (a, b) => priorityOf(b) - priorityOf(a) || (a.pod.metadata.uid < b.pod.metadata.uid ? -1 : 1),
    )
  const free = new Map<string, number>()
  for (const [name, all] of state.allocatable) free.set(name, all - (state.used.get(name) ?? 0))
  free.set('pods', (state.allocatable.get('pods') ?? 0) - state.pods.size)
  const give = (charge: Charge, sign: 1 | -1) => {
    free.set('pods', (free.get('pods') ?? 0) + sign)
    for (const [name, amount] of charge) free.set(name, (free.get(name) ?? 0) + sign * amount)
  }
  const isEnough = () =>
    (free.get('pods') ?? 0) >= 1 &&
    [...asked].every(([name, amount]) => amount === 0 || (free.get(name) ?? 0) >= amount)

  for (const { charge } of lower) give(charge, 1)
  if (!isEnough()) return []
  return lower.filter(({ charge }) => {
    give(charge, -1)
    if (isEnough()) return false
    give(charge, 1)
    return true
  })
}
