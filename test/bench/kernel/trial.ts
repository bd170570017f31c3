/** What an arm is put to: a pass, and the step. */
import { availableParallelism } from 'node:os'

import { needBySecond, type Past, recallFrom } from '../past.ts'
import type { Arm } from './arm.ts'
import { figuresOf, type PassFigures } from './pass.ts'
import {
  loadsOf,
  membersOf,
  type Request,
  requestsOf,
  stepCores,
  stepRequests,
} from './requests.ts'
import { runLoad } from './run-load.ts'
import { secondsToSuffice } from './trace.ts'

export type Settings = {
  readonly passSeconds: number
  readonly seed: number
  readonly step: {
    readonly settleSeconds: number
    readonly afterSeconds: number
    /** At once, each alone in its group; together they use a third of two CPUs. */
    readonly groups: number
  }
}

export type Trials = {
  readonly runPass: (arm: Arm, repeat: number) => Promise<PassFigures>
  /** Seconds from each group's step to a quota of its demand. */
  readonly runStep: (arm: Arm) => Promise<number[]>
}

const cpus = availableParallelism()
/** Seeds of the past are far from those judged. */
const pastSeed = 1_000_000
const pastSeconds = 3600
/** The groups' steps are spread over it: not all in the same moment of the arm's rhythm. */
const spreadSeconds = 1

/** Of running alone. */
export const stepRunSeconds = ({ settleSeconds, afterSeconds }: Settings['step']): number =>
  settleSeconds + spreadSeconds + afterSeconds

export function prepareTrials({ passSeconds, seed, step }: Settings, signal: AbortSignal): Trials {
  const members = membersOf({ cpus })
  const known = members.map((service) =>
    pastOf(passSeconds, (seed) => requestsOf(service, { cpus, passSeconds, seed })),
  )
  const calm = { settleSeconds: pastSeconds, afterSeconds: 0 }
  const beforeStep = pastOf(pastSeconds, (seed) => stepRequests({ ...calm, seed }))
  // Koordinator never goes beyond three times its base: from the median it could not get there.
  const past = { ...beforeStep, median: beforeStep.p99 }
  return {
    async runPass(arm, repeat) {
      const loads = loadsOf({ cpus, passSeconds, seed: seed + repeat })
      const pasts = known
      const trace = await runLoad({ arm, loads, pasts, seconds: passSeconds, signal })
      return figuresOf(trace, { members, loads, passSeconds })
    },
    async runStep(arm) {
      const { settleSeconds, afterSeconds, groups } = step
      const moments = Array.from(
        { length: groups },
        (_, i) => settleSeconds + (i / groups) * spreadSeconds,
      )
      const loads = moments.map((moment, i) => {
        const scene = { settleSeconds: moment, afterSeconds, seed: seed * 1000 + i }
        return { name: `step-${i}`, requests: stepRequests(scene) }
      })
      const pasts = loads.map(() => past)
      const trace = await runLoad({ arm, loads, pasts, seconds: stepRunSeconds(step), signal })
      return moments.map((moment, i) =>
        secondsToSuffice(trace.groups[i]?.readings ?? [], {
          atMicros: moment * 1e6,
          cores: stepCores.high,
        }),
      )
    },
  }
}

/** From as many passes as make an hour. */
function pastOf(passSeconds: number, draw: (seed: number) => readonly Request[]): Past {
  const passes = Math.ceil(pastSeconds / passSeconds)
  const seeds = Array.from({ length: passes }, (_, i) => pastSeed + i)
  return recallFrom(seeds.flatMap((seed) => needBySecond(draw(seed), passSeconds)))
}
