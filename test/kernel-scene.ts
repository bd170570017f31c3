/** For tests: the agent's kernel, over a simulated one with the groups of these pods. */
import { createKernel, type Enforced } from '../src/apps/agent/kernel.ts'
import type { SeenPod } from '../src/apps/agent/seen-pod.ts'
import { requestShares } from '../src/core/cgroup/weight.ts'
import type { CgroupWriter } from '../src/ports/cgroup.ts'
import { manualClock } from './manual-clock.ts'
import { kernelOf } from './seen-pod.ts'

/** A weight, and quotas as the kubelet set them, unless said otherwise. */
export const weight = (shares: number, given: Partial<Enforced> = {}): Enforced => ({
  shares,
  quota: 'asIs',
  bursts: false,
  ...given,
})

type Staging = {
  readonly rule?: (request: number) => number
  /** What stands before the writer. */
  readonly writer?: (writer: CgroupWriter) => CgroupWriter
}

/** A kernel of the agent on groups as a kubelet set them, by its rule. */
export function scene(
  seen: readonly SeenPod[],
  { rule = requestShares, writer: wrap }: Staging = {},
) {
  const machine = kernelOf(seen, rule)
  const writer = wrap?.(machine.writer) ?? machine.writer
  const clock = manualClock()
  const lines: string[] = []
  const log = (level: string, message: string, fields = {}) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  const start = () => createKernel({ writer, cgroups: machine.reader, clock, log })
  const readings = ({ containers }: SeenPod) =>
    containers.flatMap(({ place }) => (place && machine.reader.read(place)) ?? [])
  const kernel = start()
  const enforce = (one: SeenPod, wanted: Enforced) => kernel.enforce(one, wanted, readings(one))
  return { ...machine, clock, lines, start, agent: kernel, enforce, readings }
}

const containersOf = (names: readonly string[], limits: { cpu: string } | undefined) => ({
  containers: names.map((name) => ({
    name,
    resources: { requests: { cpu: '250m' }, ...(limits && { limits }) },
  })),
})

export const limited = (...names: string[]) => containersOf(names, { cpu: '500m' })
export const unlimited = (...names: string[]) => containersOf(names, undefined)

export const twoContainers = limited('app', 'log')
