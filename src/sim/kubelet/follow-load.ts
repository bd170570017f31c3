/** Containers that run do what a changed annotation says, without a restart: only here is load a setting. */
import { loadTextOf } from '../../apis/load.ts'
import { InvalidInput } from '../../core/errors.ts'
import type { NodeKernel } from '../kernel/kernel.ts'
import type { SimPod } from '../nodes/pod.ts'
import { allContainers } from './allocation.ts'
import { type ContainerRun, isRunning } from './container-run.ts'
import type { LoadOf } from './node-context.ts'

type Following = {
  readonly kernel: Pick<NodeKernel, 'setLoad'>
  readonly loadOf: LoadOf
  readonly runs: readonly ContainerRun[]
  /** Why a container goes on as it did. */
  readonly refuse: (run: ContainerRun, message: string) => void
}

export function followLoads(
  { kernel, loadOf, runs, refuse }: Following,
  { before, after }: { readonly before: SimPod; readonly after: SimPod },
): void {
  const textOf = ({ metadata }: SimPod, name: string) =>
    loadTextOf(metadata.annotations ?? {}, name)
  for (const run of runs) {
    if (!isRunning(run) || textOf(before, run.name) === textOf(after, run.name)) continue
    const container = allContainers(after.spec).find(({ name }) => name === run.name)
    if (container === undefined) continue
    try {
      const load = loadOf(after, container)
      if (load.kind === 'batch' || run.hasEnd)
        refuse(run, 'a batch load neither begins nor ends while a container runs')
      else kernel.setLoad(run.id, load)
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      refuse(run, error.message)
    }
  }
}
