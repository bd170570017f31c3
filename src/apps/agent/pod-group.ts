/**
 * What a kubelet sets for the group of a pod, above those of its containers (ResourceConfigForPod).
 *
 * Init containers run one after the other, before the containers and beside the sidecars that began
 * before them: the largest of them counts where it is more than all that lasts. What the runtime class
 * takes (overhead) comes on top. There is a quota only where every container has a limit, init
 * containers too.
 *
 *   containers  init containers  overhead    request
 *   500m        -                -           500m
 *   500m        2                -           2
 *   500m        2                250m        2250m
 */
import { isSidecar } from '../../apis/pod-containers.ts'
import { type Container, cpuIn, type Pod } from '../../apis/pod.ts'
import type { Millicores } from '../../core/units.ts'

export type GroupCpu = {
  readonly request: Millicores
  readonly limit: Millicores | undefined
}

/** `limitOf` is asked for the limit of each container; as its spec has it, if not told. */
export function cpuOfPodGroup(
  { containers, initContainers = [], resources, overhead }: Pod['spec'],
  limitOf: (container: Container) => Millicores | undefined = limitIn,
): GroupCpu {
  const extra = cpuIn(overhead) ?? 0
  const parts = { containers, initContainers }
  const request = cpuIn(resources?.requests) ?? mostAtOnce(parts, requestIn)
  const isLimited = [...containers, ...initContainers].every((one) => (limitOf(one) ?? 0) > 0)
  const together = isLimited ? mostAtOnce(parts, (one) => limitOf(one) ?? 0) : undefined
  const limit = cpuIn(resources?.limits) ?? together
  return {
    request: (request + extra) as Millicores,
    limit: limit === undefined ? undefined : ((limit + extra) as Millicores),
  }
}

type Parts = {
  readonly containers: readonly Container[]
  readonly initContainers: readonly Container[]
}

function mostAtOnce({ containers, initContainers }: Parts, of: (one: Container) => number): number {
  let [sidecars, peak] = [0, 0]
  for (const container of initContainers) {
    if (isSidecar(container)) sidecars += of(container)
    else peak = Math.max(peak, sidecars + of(container))
  }
  return Math.max(
    peak,
    containers.reduce((sum, container) => sum + of(container), sidecars),
  )
}

const limitIn = ({ resources }: Container): Millicores | undefined => cpuIn(resources?.limits)

/** The API makes a request of a limit that stands alone. */
const requestIn = ({ resources }: Container): number =>
  cpuIn(resources?.requests) ?? cpuIn(resources?.limits) ?? 0
