/** Starts the batch work of a run when its scene says so, and measures what it gets. */
import type { Arm } from './arm.ts'
import { startBatch } from './batch.ts'
import { type ArmGroup, endGroup, usageMicros } from './group.ts'
import { makeGroup } from './make-group.ts'
import { type Moment, secondOf } from './moment.ts'
import { judgedSpans, type Lengths, type Scene } from './scene.ts'
import type { Stage } from './stage.ts'

type Driven = Moment & {
  readonly scene: Scene
  readonly arm: Arm
  readonly lengths: Lengths
  readonly stage: Stage
  readonly batch: ArmGroup
}

/** Cores that the batch work had while it was judged. */
export async function driveBatch(run: Driven): Promise<number | undefined> {
  const { scene, arm, stage, lengths, batch } = run
  if (!arm.hasBatch) return undefined
  const spans = judgedSpans(scene, lengths)
  const isLate = scene.batchStarts !== 'before'
  const isNew = scene.batchStarts === 'late, in a new group'
  const start = () => startBatch(scene.batch, batch.path, stage.folder)
  const started = isLate ? [] : start()
  let used = 0
  let micros = 0
  for (const span of spans) {
    await secondOf(span.fromSecond, run)
    if (isNew) makeGroup(arm, batch)
    if (isLate) started.push(...start())
    const [before, at] = [usageMicros(batch.path), performance.now()]
    await secondOf(span.toSecond, run)
    for (const work of started) {
      if (!work.hasEnded()) continue
      await work.ended
      throw new Error('running the batch work: it ended during the run')
    }
    used += usageMicros(batch.path) - before
    micros += (performance.now() - at) * 1000
    if (isNew) await endGroup(batch.path)
    else if (isLate) await Promise.all(started.map(async (work) => work.stop()))
    if (isLate) started.length = 0
  }
  return used / micros
}
