/** What parts of MBCAS bring: scenarios played with each of them and without. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'

import { wrap } from '../../src/apps/cli/show.ts'
import { type Arm, arms, exampleScenarios } from './ablation/arms.ts'
import type { Order, Played } from './ablation/play.ts'
import { type ArmPlayed, describeArms } from './ablation/report.ts'
import type { Bench } from './bench.ts'
import { named, wholeNumber } from './flags.ts'
import { forkTask } from './fork-task.ts'

/** Drawn once, so that whoever repeats it gets the same figures. */
const SEED = 4242
const RANDOM = 20

export const ablation: Bench = {
  name: 'ablation',
  about: `what parts bring, in ${exampleScenarios.length} example and ${RANDOM} random scenarios; --arm, --random 20, --seed ${SEED}`,
  async run(flags) {
    const { values } = parseArgs({
      args: [...flags],
      options: {
        arm: { type: 'string' },
        random: { type: 'string' },
        seed: { type: 'string' },
      },
    })
    const chosen = named('--arm', values.arm, arms) ?? arms
    const seed = wholeNumber('--seed', values.seed, SEED)
    const drawn = wholeNumber('--random', values.random, RANDOM)
    const random = Array.from({ length: drawn }, (_, index) => ({ seed, index }))
    console.log(`\nParts of MBCAS on and off, in simulation: seed ${seed} (about half an hour)\n`)
    console.log('Examples\n')
    console.log(describeArms(await playAll(chosen, exampleScenarios)))
    console.log('\nDrawn at random\n')
    console.log(describeArms(await playAll(chosen, random)))
    console.log(['', ...notes.flatMap((note) => wrap(note, 100, 0))].join('\n'))
  },
}

const notes = [
  'Means over the scenarios. Better, worse: scenarios in which the arm misses fewer, or more, targets than "as shipped", or than "all strict" where it is strict, by more than half a point. Kept: of what pods wanted within their requests as written, what they had. Promised: cores. Changes: of a request, limit or quota in a second. Oversold: of the seconds of all nodes, those in which quotas together are above what is sold, which is 90 % of a node where all is strict.',
  'A resize that the controller requests is by a factor of 2 at most, unless the arm says otherwise.',
]

/** As many processes at once as there are CPUs: what is played does not depend on time. */
async function playAll(
  chosen: readonly Arm[],
  scenarios: readonly Order['scenario'][],
): Promise<ArmPlayed[]> {
  const results = chosen.map((arm) => ({ arm, played: [] as Played[] }))
  const waiting = results.flatMap(({ arm, played }) =>
    scenarios.map((scenario, i) => ({ arm, scenario, note: (one: Played) => (played[i] = one) })),
  )
  const all = waiting.length
  let done = 0
  const script = new URL('ablation/task.js', import.meta.url)
  const playOn = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { note, ...order } = next
      note(await forkTask<Played>(script, order satisfies Order))
      done += 1
      console.error(`${done} of ${all} played: ${order.arm.name}`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, playOn))
  return results
}
