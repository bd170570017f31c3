/** Simulated machines: for each a kernel and a kubelet, with names and addresses of its own. */
import { type Load, loadTextOf } from '../apis/load.ts'
import type { NodeGroup } from '../apis/scenario-file.ts'
import { InvalidInput } from '../core/errors.ts'
import { parseBytes } from '../core/quantity.ts'
import { seededRandom } from '../core/random.ts'
import type { Agenda } from './agenda.ts'
import type { Api } from './apiserver/api.ts'
import type { NodeKernel } from './kernel/kernel.ts'
import { createNodeKernel } from './kernel/node-kernel.ts'
import { createKubelet, type Kubelet } from './kubelet/kubelet.ts'
import type { PodDispatcher } from './nodes/pod-dispatcher.ts'

export type Machine = { readonly kernel: NodeKernel; readonly kubelet: Kubelet }

/** As many as addresses 10.x.y.z and pod networks 10.244.0.0/16 to 10.255.0.0/16 allow. */
const mostMachines = 3072

export function createMachines(at: {
  readonly api: Api
  readonly agenda: Agenda
  readonly dispatcher: PodDispatcher
  readonly groups: readonly NodeGroup[]
  readonly seed: number
  readonly readLoad: (text: string) => Load
}): ReadonlyMap<string, Machine> {
  const { api, agenda, dispatcher, groups, seed, readLoad } = at
  const machines = new Map<string, Machine>()
  for (const group of groups) {
    for (let i = 0; i < group.count; i += 1) {
      const index = machines.size
      const name = `${group.name}-${i}`
      if (machines.has(name))
        throw new InvalidInput(`nodes: expected names of their own, got ${name} twice`)
      if (index >= mostMachines) {
        throw new InvalidInput(`nodes: expected at most ${mostMachines}, got more`)
      }
      const random = seededRandom(seed * 65_536 + index + 1)
      const kernel = createNodeKernel({ agenda, cpus: group.cpus, random })
      const kubelet = createKubelet({
        api,
        agenda,
        dispatcher,
        kernel,
        random,
        loadOf: ({ metadata }, { name }) => readLoad(loadTextOf(metadata.annotations ?? {}, name)),
        node: {
          name,
          milliCpu: group.cpus * 1000,
          memoryBytes: parseBytes(group.memory),
          address: `10.0.${index >> 8}.${index & 255}`,
          podCidr: `10.${244 + (index >> 8)}.${index & 255}.0/24`,
          pods: group.pods,
          labels: group.labels,
          extended: group.extended,
        },
      })
      machines.set(name, { kernel, kubelet })
    }
  }
  return machines
}
