/** From a document to a scenario: what the schema cannot see is that its parts fit together. */
import { InvalidInput } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import { parseLoad } from './load.ts'
import { parseAs } from './parse.ts'
import { type Phase, type ScenarioFile, scenarioFile } from './scenario-file.ts'
import type { Workload } from './scenario-workload.ts'

export function readScenario(document: unknown): ScenarioFile {
  const scenario = parseAs(scenarioFile, document, 'scenario')
  const faults = [...faultsOfWhole(scenario)]
  if (faults.length > 0) {
    throw new InvalidInput(faults.map((fault) => `scenario: ${fault}`).join('\n'))
  }
  return scenario
}

function* faultsOfWhole(scenario: ScenarioFile): Generator<string> {
  const { workloads, phases, duration = Infinity, warmUp } = scenario
  if (warmUp >= duration) yield 'expected warmUp to be shorter than duration'
  const names = workloads.map(({ name }) => name)
  for (const [i, name] of names.entries()) {
    if (names.indexOf(name) < i) yield `workloads: expected names of their own, got ${name} twice`
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

function* faultsOfWorkload(workload: Workload, { phases }: ScenarioFile): Generator<string> {
  const { cpu, minCpu = 0, maxCpu = Infinity, from = 0, until = Infinity, slo } = workload
  const { request = 0, limit = Infinity } = cpu
  if (request > limit) yield `expected cpu.request of at most its limit, ${limit}m, got ${request}m`
  if (minCpu > maxCpu) yield `expected minCpu of at most maxCpu, ${maxCpu}m, got ${minCpu}m`
  if (from >= until) yield 'expected until to be after from'
  const loads = [workload.load, ...phases.flatMap(({ loads }) => loads[workload.name] ?? [])]
  if (slo !== undefined && !loads.some((text) => parseLoad(text).kind === 'requests')) {
    yield 'expected slo on a load of requests: no other has a latency'
  }
}

function* faultsOfPhase({ loads, replicas }: Phase, names: readonly string[]): Generator<string> {
  for (const name of [...Object.keys(loads), ...Object.keys(replicas)]) {
    if (names.includes(name)) continue
    const meant = nearest(name, names)
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`
    yield `expected a workload of this scenario, got ${name}${hint}`
  }
}
