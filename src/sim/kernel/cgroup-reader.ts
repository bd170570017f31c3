import type { CgroupReader } from '../../ports/cgroup.ts'
import type { NodeKernel } from './kernel.ts'

/** The port over the model; containers are known to it by their ID without the runtime's scheme. */
export function readSimulatedCgroups(kernel: Pick<NodeKernel, 'read'>): CgroupReader {
  return {
    where: 'the simulated kernel',
    read: ({ containerId }) => kernel.read(containerId.replace(/^[a-z0-9.+-]+:\/\//, '')),
    forget() {},
    close() {},
  }
}
