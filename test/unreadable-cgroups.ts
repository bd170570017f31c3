/** For tests: a kernel none of whose groups can be read, and pods of one container each. */
import type { SeenPod } from '../src/apps/agent/seen-pod.ts'
import type { CgroupReader } from '../src/ports/cgroup.ts'

export const unreadableCgroups: CgroupReader = {
  where: '/sys/fs/cgroup',
  driver: () => undefined,
  read: ({ containerId }) => {
    throw new Error(`reading cpu.stat of ${containerId}: permission denied`)
  },
  forget: () => undefined,
} as Partial<CgroupReader> as CgroupReader

export const seenPods = (count: number): SeenPod[] =>
  Array.from({ length: count }, (_, i) => {
    const place = { podUid: `u${i}`, qosClass: 'Burstable', containerId: `c${i}` } as const
    const containers = [{ name: 'app', place, request: undefined, limit: undefined }]
    return {
      uid: `u${i}`,
      namespace: 'default',
      name: `p${i}`,
      containers,
    } as Partial<SeenPod> as SeenPod
  })
