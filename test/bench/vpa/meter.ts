/** What the arm's own programs used, and what others took of the machine, during a pass. */
import { availableParallelism } from 'node:os'

import { readMachine } from '../machine-use.ts'
import { usageMicros } from '../programs/group.ts'
import { type Moment, secondOf } from '../programs/moment.ts'
import type { PassFigures } from './figures.ts'
import type { Pass } from './run.ts'

const cpus = availableParallelism()

/** Others are neither pods nor programs of the arm, nor who asks, with whom the rest of the node runs. */
export async function meterPrograms(
  { node, loadGroup, seconds }: Pick<Pass, 'node' | 'loadGroup' | 'seconds'>,
  moment: Moment,
): Promise<Pick<PassFigures, 'programCores' | 'stealRatio' | 'othersRatio'>> {
  const pods = node.node.cgroupRoot.slice(1)
  const read = () => ({
    atMicros: performance.now() * 1000,
    programs: usageMicros(node.group),
    own: usageMicros(pods) + usageMicros(loadGroup),
    machine: readMachine(),
  })
  await secondOf(0, moment)
  const first = read()
  await secondOf(seconds, moment)
  const last = read()
  const micros = last.atMicros - first.atMicros
  const programCores = (last.programs - first.programs) / micros
  const own = (last.own - first.own) / micros + programCores
  const busy = (last.machine.busyMicros - first.machine.busyMicros) / micros
  return {
    programCores,
    stealRatio: (last.machine.stealMicros - first.machine.stealMicros) / micros / cpus,
    othersRatio: Math.max(0, busy - own) / cpus,
  }
}
