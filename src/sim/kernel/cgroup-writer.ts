/** Sets quota, period, burst and shares of simulated groups, by the rules and in the order of the real one. */
import type { Setting, Step } from '../../core/cgroup/plan-writes.ts'
import { type Applied, createWriting, type PlacedGroup } from '../../core/cgroup/write-changes.ts'
import { InvalidInput } from '../../core/errors.ts'
import { type CgroupPlace, type CgroupWriter, nameOfPlace } from '../../ports/cgroup.ts'
import { groupIdOf } from './cgroup-reader.ts'
import type { CpuSettings, NodeKernel } from './kernel.ts'

const words: Readonly<Record<Setting, string>> = {
  quotaMicros: 'quota',
  periodMicros: 'period',
  burstMicros: 'burst',
  shares: 'shares',
}

export function writeSimulatedCgroups(kernel: Pick<NodeKernel, 'set' | 'settings'>): CgroupWriter {
  const settings = (place: CgroupPlace): CpuSettings | undefined =>
    kernel.settings(groupIdOf(place))

  const locate = (place: CgroupPlace) => {
    const now = settings(place)
    return now && { path: pathOf(place), now }
  }

  const apply = ({ group, setting, from, to }: Step<PlacedGroup<CgroupPlace>>): Applied => {
    const id = groupIdOf(group.place)
    const now = kernel.settings(id)
    const failure = now && failureOf(() => kernel.set(id, { ...now, [setting]: to }))
    return {
      words: `${words[setting]} of ${nameOfPlace(group.place)} from ${from} to ${to}`,
      failure,
    }
  }

  return {
    settings,
    whyReadOnly: (place) =>
      settings(place) === undefined ? `${nameOfPlace(place)} has no cgroup` : undefined,
    ...createWriting({ nameOf: nameOfPlace, locate, apply }),
  }
}

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
