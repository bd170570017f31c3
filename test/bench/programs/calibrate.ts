/**
 * How much a request must ask of a program to take `requestMicros` of CPU time on this machine, so
 * that rates mean the same share of a CPU everywhere. Measured by the kernel's count of CPU time, beside
 * batch work of the least weight: on CPUs that rest in between, a request takes up to half as much again.
 */
import { makeCgroup } from '../../kubernetes/cgroups.ts'
import { startBatch } from './batch.ts'
import { setGroup, usageMicros } from './group.ts'
import { requestMicros, type Service } from './scene.ts'
import type { Stage } from './stage.ts'

/** The second starts where the first ended. */
const rounds = 2
const leastShares = 2
const plan = { shape: { perSecond: 150 }, seconds: 2, seed: 1 }

export async function calibrate(service: Service, stage: Stage): Promise<number> {
  const { program } = service
  const home = await stage.homeOf(service)
  let size = program.firstSize
  for (let round = 0; round < rounds; round += 1) {
    try {
      stage.makeTree()
      makeCgroup(home.group)
      makeCgroup(stage.batchGroup)
      setGroup({ path: stage.batchGroup, shares: leastShares })
      startBatch('stress-ng', stage.batchGroup, stage.folder)
      const instance = await program.start(home, size)
      try {
        const load = await instance.prepareLoad(plan)
        const before = usageMicros(home.group)
        const served = await load(Date.now())
        const each = (usageMicros(home.group) - before) / served.length
        size = Math.round((size * requestMicros) / each)
      } finally {
        await instance.stop()
      }
    } finally {
      await stage.endTree()
    }
  }
  return size
}
