/** One pass of an arm: fresh pods, time to settle, the four phases; and nothing is left of it. */
import { setTimeout as sleep } from 'node:timers/promises'

import { isReady } from '../../contracts/expect.ts'
import { nowMicros } from '../burn.ts'
import type { Arm, ArmNode, Running } from './arm.ts'
import type { Evaluation } from './evaluation.ts'
import { figuresOf, type PassFigures } from './figures.ts'
import { type Generator, startGenerator } from './generator.ts'
import { meterPrograms } from './meter.ts'
import { deploy, removePods, type RunningPod, runningOf, untilRunning } from './pods.ts'
import { type Slot, slotsOf } from './requests.ts'
import { type Activities, samplePods } from './sampler.ts'
import { type SpecEvent, type SpecWatch, watchSpecs } from './spec-watch.ts'

export type Pass = {
  readonly arm: Arm
  readonly evaluation: Evaluation
  readonly seconds: number
  readonly settleSeconds: number
  readonly drainSeconds: number
  /** Of the load: the same for all arms of a repeat. */
  readonly seed: number
  readonly node: ArmNode
  /** Where who asks runs. */
  readonly loadGroup: string
  readonly signal: AbortSignal
}

export type PassRun = { readonly figures: PassFigures; readonly activities: Activities }

/** For all parts to know the moment of the first request before it comes. */
const leadMicros = 300_000

export async function runPass(pass: Pass): Promise<PassRun> {
  const { arm, evaluation, node, seed, signal } = pass
  const slots = slotsOf(evaluation, seed)
  let running: Running | undefined
  let watch: SpecWatch | undefined
  const generator = startGenerator(slots)
  try {
    running = await arm.start?.(node)
    signal.throwIfAborted()
    await deploy(node, evaluation, arm.hasLimits)
    const started = await untilRunning(node, evaluation)
    const places = seatsOf(node, started, generator)
    watch = await watchSpecs(node, places.follow)
    await running?.attach?.(started)
    await sleep(pass.settleSeconds * 1000, undefined, { signal })
    const wanted = await running?.check?.()
    return await measure({ ...pass, slots, generator, watch, podsNow: places.now, wanted })
  } finally {
    await inTurn([generator.end, watch?.stop, running?.stop, async () => removePods(node)])
  }
}

/** All of them, whatever becomes of those before. */
async function inTurn(steps: readonly ((() => Promise<void>) | undefined)[]): Promise<void> {
  const errors: unknown[] = []
  for (const step of steps) await step?.().catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw new AggregateError(errors, 'ending a pass')
}

type Prepared = Pass & {
  readonly slots: readonly Slot[]
  readonly generator: Generator
  readonly watch: SpecWatch
  readonly podsNow: () => readonly RunningPod[]
  readonly wanted: ReadonlyMap<string, string> | undefined
}

async function measure(prepared: Prepared): Promise<PassRun> {
  const { arm, evaluation, seconds, slots, generator, watch, podsNow, wanted, signal } = prepared
  const startMicros = nowMicros() + leadMicros
  const startMillis = Date.now() + leadMicros / 1000
  const giveUpMillis = (seconds + prepared.drainSeconds) * 1000
  const when = { startMicros, giveUpMicros: startMicros + giveUpMillis * 1000 }
  const moment = { startMillis, signal }
  const [{ millis }, activities, machine] = await Promise.all([
    generator.generate(when),
    samplePods(podsNow, seconds, moment),
    meterPrograms(prepared, moment),
  ])
  const figures = figuresOf({
    arm: arm.name,
    evaluation,
    slots,
    millis,
    activities,
    events: watch.events,
    startMicros,
    giveUpMillis,
    machine,
    wanted,
  })
  return { figures, activities }
}

/** Each pod has a slot of its workload; one that comes in place of another takes over its slot. */
function seatsOf(node: ArmNode, pods: readonly RunningPod[], { aim }: Generator) {
  const seats = [...pods]
  for (const [slot, { address }] of seats.entries()) aim(slot, address)
  return {
    now: (): readonly RunningPod[] => seats,
    follow: ({ uid, workload, pod }: SpecEvent): void => {
      if (pod === undefined || !isReady(pod) || seats.some((seat) => seat.uid === uid)) return
      if (pod.metadata.deletionTimestamp !== undefined) return
      const slot = seats.findIndex((seat) => seat.workload === workload)
      const next = runningOf(node, pod)
      seats[slot] = next
      aim(slot, next.address)
    },
  }
}
