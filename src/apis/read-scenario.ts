/** From a document to a scenario: what the schema cannot see is that its parts fit together. */
import { InvalidInput } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import { hasLatency, parseWrittenLoad } from './load.ts'
import { parseAs } from './parse.ts'
import { mostNodes, mostPods } from './scenario-fields.ts'
import { type Phase, type ScenarioFile, scenarioFile } from './scenario-file.ts'
import type { Workload } from './scenario-workload.ts'

/** `name` is how the faults call the document. */
export function readScenario(document: unknown, name = 'scenario'): ScenarioFile {
  const scenario = parseAs(scenarioFile, document, name)
  const faults = firstOf(faultsOfWhole(scenario), MOST_FAULTS)
  if (faults.length > 0) {
    throw new InvalidInput(faults.map((fault) => `${name}: ${fault}`).join('\n'))
  }
  return scenario
}

const MOST_FAULTS = 20

function firstOf<T>(all: Iterable<T>, most: number): T[] {
  const first: T[] = []
  for (const one of all) {
    if (first.length === most) break
    first.push(one)
  }
  return first
}

function* faultsOfWhole(scenario: ScenarioFile): Generator<string> {
  const { workloads, phases, duration = Infinity, warmUp } = scenario
  if (warmUp >= duration) yield 'expected warmUp to be shorter than duration'
  yield* faultsOfSize(scenario)
  const names = workloads.map(({ name }) => name)
  const firsts = new Map(names.map((name, i) => [name, i] as const).toReversed())
  for (const [i, name] of names.entries()) {
    if (firsts.get(name) !== i) yield `workloads: expected names of their own, got ${name} twice`
  }
  for (const workload of workloads) {
    for (const fault of faultsOfWorkload(workload, scenario)) {
      yield `workload ${workload.name}: ${fault}`
    }
  }
  for (const [i, phase] of phases.entries()) {
    if (phase.at < (phases[i - 1]?.at ?? 0)) {
      yield `phase ${phase.name}: expected it after the phase before it, got an earlier moment`
    }
    for (const fault of faultsOfPhase(phase, names)) yield `phase ${phase.name}: ${fault}`
  }
}

/** Each may be within its bound, and all together beyond what can be played. */
function* faultsOfSize({ nodes = [], workloads, phases }: ScenarioFile): Generator<string> {
  const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0)
  const count = sum(nodes.map((group) => group.count))
  if (count > mostNodes) yield `nodes: expected at most ${mostNodes} in all, got ${count}`
  const pods = mostPodsOf({ workloads, phases })
  if (pods > mostPods) yield `workloads: expected at most ${mostPods} replicas in all, got ${pods}`
}

/** As many as there can be at one time. */
export const mostPodsOf = ({
  workloads,
  phases,
}: Pick<ScenarioFile, 'workloads' | 'phases'>): number =>
  workloads.reduce((all, { name, replicas }) => {
    const later = phases.map((phase) => ownOf(phase.replicas, name) ?? 0)
    return all + later.reduce((most, one) => Math.max(most, one), replicas)
  }, 0)

/** A workload may be called like what every object has, such as `constructor`. */
const ownOf = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

function* faultsOfWorkload(workload: Workload, { phases }: ScenarioFile): Generator<string> {
  const { cpu, minCpu = 0, maxCpu = Infinity, from = 0, until = Infinity, slo } = workload
  const { request = 0, limit = Infinity } = cpu
  if (request > limit) yield `expected cpu.request of at most its limit, ${limit}m, got ${request}m`
  if (minCpu > maxCpu) yield `expected minCpu of at most maxCpu, ${maxCpu}m, got ${minCpu}m`
  if (from >= until) yield 'expected until to be after from'
  const loads = [workload.load, ...phases.flatMap(({ loads }) => ownOf(loads, workload.name) ?? [])]
  if (slo !== undefined && !loads.some((text) => hasLatency(parseWrittenLoad(text)))) {
    yield 'expected slo on a load of requests: no other has a latency'
  }
}

function* faultsOfPhase(
  { loads, replicas, roll }: Phase,
  names: readonly string[],
): Generator<string> {
  for (const name of [...Object.keys(loads), ...Object.keys(replicas), ...roll]) {
    if (names.includes(name)) continue
    const meant = nearest(name, names)
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`
    yield `expected a workload of this scenario, got ${name}${hint}`
  }
}
