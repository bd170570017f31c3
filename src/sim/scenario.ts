/** Plays a scenario: who comes and goes, what is applied, lost and broken, each at its moment. */
import type { Fault } from '../apis/fault-file.ts'
import type { Recordings } from '../apis/recording.ts'
import type { NodeGroup, Phase, ScenarioFile, Step } from '../apis/scenario-file.ts'
import { InvalidInput } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import type { Agenda } from './agenda.ts'
import type { Api } from './apiserver/api.ts'
import { Refusal } from './apiserver/refusal.ts'
import type { Answer, Request } from './apiserver/serve/exchange.ts'
import { applyManifest, deleteManifest } from './apply-manifest.ts'
import { createWorkloads, type Workloads } from './workloads.ts'

type Stage = {
  readonly api: Api
  readonly agenda: Agenda
  readonly handle: (request: Request) => Answer
  /** By node name. */
  readonly kernels: ReadonlyMap<string, unknown>
  readonly loseNode: (name: string) => void
  readonly restoreNode: (name: string) => void
  readonly plant: (faults: readonly Fault[]) => void
  readonly addRecordings: (recordings: Recordings) => void
}

export type Play = Partial<
  Pick<ScenarioFile, 'workloads' | 'phases' | 'steps' | 'duration' | 'seed' | 'recordings'>
>

export type Direction = {
  /** Gets what goes wrong later: a scenario that is wrong ends the run. */
  readonly onFault: (error: Error) => void
  /** Begins anew when its duration is over; what steps have made stays. */
  readonly repeats?: boolean
}

/** Of a scenario that names none. */
export const usualNodes: readonly NodeGroup[] = [
  { name: 'node', count: 3, cpus: 4, memory: '16Gi', pods: 110, labels: {}, extended: {} },
]
/** When simulated time begins, in milliseconds since 1970, if a run is to be repeated exactly. */
export const scenarioStart = Date.UTC(2026, 0, 1)

export function playScenario(
  stage: Stage,
  { workloads = [], phases = [], steps = [], duration, seed = 1, recordings }: Play,
  { onFault, repeats = false }: Direction,
): void {
  const { agenda } = stage
  if (recordings !== undefined) stage.addRecordings(recordings)
  const standing = createWorkloads(stage, { workloads, seed })
  for (const { name, node } of workloads) {
    named(`workload ${name}`, () => checkNodes(stage, node === undefined ? [] : [node]))
  }
  for (const phase of phases) named(`phase ${phase.name}`, () => checkNodes(stage, nodesOf(phase)))
  for (const [i, step] of steps.entries()) {
    named(`step ${i + 1}`, () => checkNodes(stage, nodesOf(step)))
  }
  const plan = (moment: number, what: string, act: () => void): void => {
    agenda.at(moment, () => {
      try {
        named(what, act)
      } catch (error) {
        onFault(error as Error)
      }
    })
  }
  const playRound = (start: number): void => {
    if (start > 0) plan(start, 'beginning anew', () => clear(stage))
    for (const { name, from = 0, until } of workloads) {
      if (start > 0 && from > 0) plan(start, `workload ${name}`, () => standing.go(name))
      plan(start + from, `workload ${name}`, () => standing.come(name))
      if (until !== undefined) plan(start + until, `workload ${name}`, () => standing.go(name))
    }
    for (const phase of phases) {
      plan(start + phase.at, `phase ${phase.name}`, () => playPhase(stage, standing, phase))
    }
    for (const [i, step] of steps.entries()) {
      const isGoneFine = start > 0
      plan(start + step.at, `step ${i + 1}`, () => playStep(stage, step, { isGoneFine }))
    }
    if (!repeats || duration === undefined || duration === 0) return
    plan(start + duration, 'beginning anew', () => playRound(start + duration))
  }
  playRound(0)
}

/** What the scenario got wrong says where. */
function named(what: string, act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof InvalidInput)) throw error
    throw new InvalidInput(`scenario: ${what}: ${error.message}`, { cause: error })
  }
}

const nodesOf = ({ loseNodes = [], restoreNodes = [] }: Step | Phase): string[] => [
  ...loseNodes,
  ...restoreNodes,
]

/** Before anything happens, as it could be hours until that step. */
function checkNodes({ kernels }: Stage, names: readonly string[]): void {
  for (const name of names) {
    if (kernels.has(name)) continue
    const meant = nearest(name, [...kernels.keys()])
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`
    throw new InvalidInput(`expected a node of this cluster, got ${name}${hint}`)
  }
}

function clear({ kernels, restoreNode, plant }: Stage): void {
  for (const name of kernels.keys()) restoreNode(name)
  plant([])
}

function playPhase(stage: Stage, standing: Workloads, phase: Phase): void {
  for (const [name, load] of Object.entries(phase.loads)) standing.setLoad(name, load)
  for (const [name, replicas] of Object.entries(phase.replicas)) standing.scale(name, replicas)
  for (const name of phase.roll) standing.roll(name)
  playMishaps(stage, phase)
}

function playStep(stage: Stage, step: Step, fine: { readonly isGoneFine: boolean }): void {
  for (const manifest of step.apply ?? []) applyManifest(stage, manifest)
  for (const manifest of step.delete ?? []) deleteManifest(stage, manifest, fine)
  playMishaps(stage, step)
}

function playMishaps(stage: Stage, { loseNodes = [], restoreNodes = [], faults }: Step | Phase) {
  for (const name of loseNodes) stage.loseNode(name)
  for (const name of restoreNodes) stage.restoreNode(name)
  if (faults !== undefined) stage.plant(faults)
}
