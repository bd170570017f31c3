/** One pass of an arm in a scene: real processes in real groups, gone when it is done. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import { killMembers, makeCgroup } from '../../kubernetes/cgroups.ts'
import { nowMicros } from '../burn.ts'
import { type ArmGroup, setGroup } from '../programs/group.ts'
import { meterMachine } from '../programs/meter.ts'
import type { Stage } from '../programs/stage.ts'
import { spawnIn } from '../spawn-in.ts'
import type { Arm, Running } from './arm.ts'
import { type Load, startLoad } from './load.ts'
import { figuresOf, type PassFigures } from './pass.ts'
import type { Lengths, Member, Scene } from './scene.ts'

export type Pass = {
  readonly scene: Scene
  readonly arm: Arm
  readonly lengths: Lengths
  /** Of the load: the same for all arms of a repeat. */
  readonly seed: number
  readonly stage: Stage
  readonly signal: AbortSignal
}

const cpus = availableParallelism()
/** For all parts to know the moment of the first request before it comes. */
const leadMicros = 300_000

type Placed = Member & ArmGroup

export async function runPass(pass: Pass): Promise<PassFigures> {
  const { scene, arm, stage, lengths, seed } = pass
  const members = scene
    .membersOf({ cpus, lengths, seed })
    .filter(({ runs }) => arm.hasHogs || 'requests' in runs)
    .map(({ name, request, isBatch, runs }): Placed => {
      const path = join(stage.treeGroup, name)
      return { name, request, isBatch, runs, path }
    })
  let load: Load | undefined
  let running: Running | undefined
  try {
    stage.makeTree()
    for (const { path } of members) makeCgroup(path)
    load = await startLoad(
      members.flatMap(({ path, runs }) => ('requests' in runs ? { path, ...runs } : [])),
    )
    members.forEach(arm.set)
    running = stopsOnce(await arm.start?.(members, stage.agentGroup))
    for (const { path, runs } of members) if ('threads' in runs) startHog(path, runs.threads)
    return await measure({ ...pass, members, load, running })
  } finally {
    await load?.end()
    await running?.stop().catch((error: unknown) => {
      if (!pass.signal.aborted) throw error
    })
    await stage.endTree()
  }
}

function stopsOnce(running: Running | undefined): Running | undefined {
  let stopped: Promise<void> | undefined
  return running && { ...running, stop: async () => (stopped ??= running.stop()) }
}

/** Threads that never rest, until their group is ended. */
function startHog(path: string, threads: number): void {
  for (let i = 0; i < threads; i += 1) spawnIn(path, ['sh', '-c', 'while :; do :; done'])
}

type Prepared = Pass & {
  readonly members: readonly Placed[]
  readonly load: Load
  readonly running: Running | undefined
}

async function measure(prepared: Prepared): Promise<PassFigures> {
  const { scene, arm, lengths, members, load } = prepared
  const broken = new AbortController()
  const signal = AbortSignal.any([prepared.signal, broken.signal])
  const start = { micros: nowMicros() + leadMicros, millis: Date.now() + leadMicros / 1000 }
  /** When one part fails the other ends too, and only then this. */
  const giveUp = async (error: unknown): Promise<never> => {
    broken.abort(error)
    await load.end()
    throw error
  }
  const parts = [
    load.generate(start.micros).catch(giveUp),
    watch({ ...prepared, signal }, start.millis).catch(giveUp),
  ] as const
  await Promise.allSettled(parts)
  signal.throwIfAborted()
  const [answers, watched] = await Promise.all(parts)
  const ofServices = answers.doneMicros.map((done) => [...done].map((at) => at - start.micros))
  const services = members.filter(({ runs }) => 'requests' in runs)
  const doneMicros = members.map((member) => ofServices[services.indexOf(member)] ?? [])
  return figuresOf({ scene, arm, cpus, lengths, members, doneMicros, ...watched })
}

/** Until the end of the pass; what is left is then served at once, so that the next one can begin. */
async function watch(prepared: Prepared, startMillis: number) {
  const { scene, lengths, stage, members, running, signal } = prepared
  const warmSeconds = scene.warmSecondsOf(lengths)
  const seconds = scene.secondsOf(lengths) - warmSeconds
  const groups = members.map(({ path }) => path)
  const judged = { lengths: { warmSeconds, seconds }, startMillis, signal }
  const metered = await meterMachine({ ...judged, groups, stage })
  await running?.stop()
  for (const { path, runs } of members) {
    if ('threads' in runs) killMembers(path)
    else setGroup({ path, isUnlimited: true })
  }
  return { metered }
}
