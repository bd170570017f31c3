/** The laws that are put side by side, each over every held-out profile and seed. */
import { seedRates, untaughtPolicy } from '../../../src/core/learning/policy.ts'
import { seededRandom } from '../../../src/core/random.ts'
import { captain, captainTargets } from '../../../src/core/rivals/captain.ts'
import { fixed } from '../../../src/core/rivals/fixed.ts'
import { koordinator } from '../../../src/core/rivals/koordinator.ts'
import { toMillicores } from '../../../src/core/rivals/law.ts'
import { recommend, vpa } from '../../../src/core/rivals/vpa.ts'
import type { Past } from '../past.ts'
import { ours } from './ours.ts'
import { cpus, type JudgedLaw, type Outcome, runPass, type Scene } from './pass.ts'
import { recall } from './past.ts'
import { profiles } from './profile.ts'
import { judge } from './verdict.ts'
import { type Learner, withPolicy } from './with-policy.ts'
import { evenly, withTrend } from './with-trend.ts'

const judgedSeeds = [1, 2, 3]
/** Other seeds than those judged, and other moments of bursts and requests with them. */
const taughtSeeds = Array.from({ length: 40 }, (_, i) => 101 + i)

export type Contestant = { readonly name: string; readonly outcomes: readonly Outcome[] }

export type Addition = {
  readonly what: string
  readonly added: Contestant
  /** The plain law with as much quota, spread evenly. */
  readonly evenly: readonly Outcome[]
}

export type Contest = {
  readonly unlimited: Contestant
  readonly rivals: readonly Contestant[]
  readonly ours: readonly Contestant[]
  /** The one of ours that is the agent's default. */
  readonly plain: Contestant
  readonly additions: readonly Addition[]
}

type Run = (scene: Scene, past: Past) => Outcome

/** What most start with: a quota as for static limits. */
const adaptive =
  <State>(law: JudgedLaw<State>): Run =>
  (scene, past) =>
    runPass(law, { scene, quota: past.p99 })

/** The default of the agent. */
const law = ours(250)

export function contest(): Contest {
  const pasts = new Map(profiles.map((profile) => [profile, recall(profile)]))
  const over = (seeds: readonly number[], run: Run): Outcome[] =>
    [...pasts].flatMap(([profile, past]) => seeds.map((seed) => run({ profile, seed }, past)))
  const judged = (name: string, run: Run): Contestant => ({
    name,
    outcomes: over(judgedSeeds, run),
  })

  const learner = teach((run) => over(taughtSeeds, run))
  const plain = judged(law.name, adaptive(law))
  const predicted = judged(`${law.name} + Kalman`, adaptive(withTrend(law)))
  const learned = judged(`${law.name} + learned`, adaptive(withPolicy(law, learner)))
  const spread = (ratio: number) => over(judgedSeeds, adaptive(evenly(law, ratio)))
  const addition = (what: string, added: Contestant): Addition => {
    const wanted = judge(plain.outcomes, added.outcomes).quota.mean
    // The dead band swallows a part of what is asked for.
    const got = judge(plain.outcomes, spread(wanted)).quota.mean
    return { what, added, evenly: spread(wanted ** 2 / got) }
  }
  return {
    unlimited: judged('unlimited', (scene) => runPass(fixed, { scene, quota: toMillicores(cpus) })),
    rivals: [
      judged('static, p99 of use', adaptive(fixed)),
      judged('VPA, limit = request', runVpa),
      judged('Koordinator', (scene, past) => runPass(koordinator(), { scene, quota: past.median })),
      ...captainTargets.map(captain).map((rival) => judged(rival.name, adaptive(rival))),
    ],
    ours: [
      judged('ours 100 ms', adaptive(ours(100))),
      plain,
      judged('ours 1000 ms', adaptive(ours(1000))),
    ],
    plain,
    additions: [addition('Prediction', predicted), addition('Learning', learned)],
  }
}

const runVpa: Run = (scene, { history }) =>
  runPass(vpa(history), { scene, quota: recommend(history).target })

/** Passes with exploration; what comes out acts on what it knows and learns no more. */
function teach(overTaught: (run: Run) => Outcome[]): Learner {
  const random = seededRandom(42)
  const pupil: Learner = {
    policy: untaughtPolicy,
    rates: { ...seedRates, explorationRate: 0.2 },
    random,
  }
  overTaught(adaptive(withPolicy(law, pupil)))
  const rates = { ...seedRates, explorationRate: 0, learningRate: 0 }
  return { policy: pupil.policy, rates, random }
}
