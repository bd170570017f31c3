/** Sets quota, period, burst and shares of simulated groups, by the rules and in the order of the real one. */
import type { Setting } from '../../core/cgroup/plan-writes.ts'
import { createWriting, type Groups } from '../../core/cgroup/write-changes.ts'
import { InvalidInput } from '../../core/errors.ts'
import { type CgroupPlace, type CgroupWriter, nameOfPlace } from '../../ports/cgroup.ts'
import { groupIdOf } from './cgroup-reader.ts'
import type { NodeKernel } from './kernel.ts'

const words: Readonly<Record<Setting, string>> = {
  quotaMicros: 'quota',
  periodMicros: 'period',
  burstMicros: 'burst',
  shares: 'shares',
}

type Kernel = Pick<NodeKernel, 'set' | 'settings' | 'identity'>

export function writeSimulatedCgroups(kernel: Kernel): CgroupWriter {
  const groups = simulatedGroups(kernel)
  return {
    settings: (place) => groups.locate(place)?.now,
    whyReadOnly: () => undefined,
    whyUnwritable: (place) =>
      groups.locate(place) === undefined ? `${nameOfPlace(place)} has no cgroup` : undefined,
    write: createWriting(groups),
    identityOf: (place) => groups.locate(place)?.id,
    pathOf: () => undefined, // nothing is renamed there
  }
}

/** One write at a time. */
export const simulatedGroups = (kernel: Kernel): Groups<CgroupPlace> => ({
  nameOf: nameOfPlace,
  inSteps: (change) => change,
  locate: (place) => {
    const id = groupIdOf(place)
    const [now, identity] = [kernel.settings(id), kernel.identity(id)]
    return now && identity !== undefined ? { path: pathOf(place), id: identity, now } : undefined
  },
  apply: ({ group, setting, from, to }) => {
    const id = groupIdOf(group.place)
    const now = kernel.settings(id)
    const failure = now && failureOf(() => kernel.set(id, { ...now, [setting]: to }))
    return {
      words: `${words[setting]} of ${nameOfPlace(group.place)} from ${from} to ${to}`,
      failure,
    }
  },
})

/** As deep as a kubelet would have it. */
const pathOf = (place: CgroupPlace): string =>
  'containerId' in place ? `${place.podUid}/${groupIdOf(place)}` : groupIdOf(place)

function failureOf(work: () => void): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof InvalidInput) return `EINVAL, ${error.message}`
    throw error
  }
}
