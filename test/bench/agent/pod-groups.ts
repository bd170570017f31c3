/** Real cgroups for the pods of one node, as a kubelet with the cgroupfs driver makes them. */
import { pathsOf } from '../../../src/adapters/cgroup/find.ts'
import { openCgroupWriter } from '../../../src/adapters/cgroup/writer.ts'
import type { ContainerPlace } from '../../../src/ports/cgroup.ts'
import { makeCgroup, removeCgroup } from '../../kubernetes/cgroups.ts'
import { spawnIn } from '../spawn-in.ts'

/** A few milliseconds of work twice a second: about a hundredth of a CPU. */
const busy = ['sh', '-c', 'while :; do for i in $(seq 2000); do :; done; sleep 0.5; done']
/** Looks at a file that never grows, so that no counter stands still. */
const idle = ['tail', '---disable-inotify', '-s', '0.25', '-f', '/dev/null']
/** One container in so many works. */
const BUSY_EVERY = 20

/** Groups of these containers below the kubelet's `root`, with a process each; ends and removes them. */
export function makePodGroups(
  root: string,
  { containers, quotaMicros }: { containers: readonly ContainerPlace[]; quotaMicros: number },
): () => Promise<void> {
  const writer = openCgroupWriter({ kubeletRoot: root })
  const processes = containers.map((place, i) => {
    const [path = ''] = pathsOf(place, root)
    makeCgroup(path)
    const { podUid, qosClass } = place
    const both = [{ podUid, qosClass }, place]
    const { refused } = writer.write(both.map((place) => ({ place, quotaMicros })))
    if (refused.length > 0) throw new Error(`limiting ${path}: ${refused.join('; ')}`)
    return spawnIn(path, i % BUSY_EVERY === 0 ? busy : idle)
  })
  return async () => {
    for (const child of processes) child.kill('SIGKILL')
    await removeCgroup(root)
  }
}
