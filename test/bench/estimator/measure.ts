/** Releases of frozen quotas on the real kernel, several groups at once. */
import { setTimeout as sleep } from 'node:timers/promises'

import { openCgroupWriter } from '../../../src/adapters/cgroup/writer.ts'
import { seededRandom, shuffle } from '../../../src/core/random.ts'
import { demandOf, type EstimatorCase, loadOf } from '../../demand/estimator-table.ts'
import type { Released } from '../../demand/release.ts'
import { makeCgroup, removeCgroup } from '../../kubernetes/cgroups.ts'
import { nowMicros } from '../burn.ts'
import { readMachine } from '../machine-use.ts'
import { openGroupPlant } from './group-plant.ts'
import { runTrial, type Trial } from './trial.ts'

export type Run = { readonly of: EstimatorCase; readonly released: Released }
export type Measured = {
  /** In the order of the cases. */
  readonly runs: readonly Run[]
  /** What others used of the machine meanwhile. */
  readonly othersCores: number
}

const root = `mbcas-estimator-bench-${process.pid}`
/** Before all else on the machine, so that only its quota holds a group back. */
const MOST_SHARES = 262_144
/** They use less than half of two CPUs together. */
const LANES = 6
/** So that they are not all released at once. */
const APART_MILLIS = 700

/** Why it cannot be done here, if so. */
export async function whyNot(): Promise<string | undefined> {
  try {
    makeCgroup(root)
    return openCgroupWriter().whyReadOnly({ path: root })
  } catch (error) {
    return `making a CPU cgroup: ${(error as Error).message}`
  } finally {
    await removeCgroup(root)
  }
}

/** Each so often, with about so many cores that its load uses when nothing holds it back. */
export async function measureReleases(
  cases: readonly { readonly of: EstimatorCase; readonly cores: number }[],
  repeats: number,
): Promise<Measured> {
  const loads = cases.map(({ of, cores }) => {
    const load = loadOf(of, cores)
    return { of, load, knownCores: demandOf(load) }
  })
  const trials = Array.from({ length: repeats }, () => loads)
    .flat()
    .map(({ of, load, knownCores }, i): Trial => {
      const path = `${root}/${i}`
      return { of, load, knownCores, seed: i + 1, path }
    })
  const waiting = [...trials]
  shuffle(waiting, seededRandom(1))
  const released = new Map<Trial, Released>()
  const work = async (lane: number): Promise<void> => {
    await sleep(lane * APART_MILLIS)
    for (let one = waiting.pop(); one; one = waiting.pop()) released.set(one, await runTrial(one))
  }
  makeCgroup(root)
  const group = openGroupPlant(root)
  try {
    openCgroupWriter().write([{ place: { path: root }, shares: MOST_SHARES }])
    const before = { atMicros: nowMicros(), ...readMachine(), ours: group.read(0).usageMicros }
    await Promise.all(Array.from({ length: LANES }, async (_, lane) => work(lane)))
    const busy = readMachine().busyMicros - before.busyMicros
    const ours = group.read(0).usageMicros - before.ours
    const othersCores = Math.max(0, (busy - ours) / (nowMicros() - before.atMicros))
    const runs = trials.flatMap((trial) => {
      const one = released.get(trial)
      return one === undefined ? [] : [{ of: trial.of, released: one }]
    })
    return { runs, othersCores }
  } finally {
    group.close()
    await removeCgroup(root)
  }
}
