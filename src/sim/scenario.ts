/** Plays a scenario: what is applied, deleted, lost and broken, each at its moment. */
import type { Fault } from '../apis/fault-file.ts'
import type { Manifest, Step } from '../apis/scenario-file.ts'
import { InvalidInput } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import type { Agenda } from './agenda.ts'
import type { Api } from './apiserver/api.ts'
import { Refusal } from './apiserver/refusal.ts'
import { apiVersionOf, type ResourceType } from './apiserver/resource-type.ts'
import type { Answer, Request } from './apiserver/serve/exchange.ts'

type Stage = {
  readonly api: Api
  readonly agenda: Agenda
  readonly handle: (request: Request) => Answer
  /** By node name. */
  readonly kernels: ReadonlyMap<string, unknown>
  readonly loseNode: (name: string) => void
  readonly restoreNode: (name: string) => void
  readonly plant: (faults: readonly Fault[]) => void
}

/** Whoever directs the faults does not meet them. */
export const director = 'mbcas-scenario'

/** `onFault` gets what goes wrong later: a scenario that is wrong ends the run. */
export function playScenario(
  stage: Stage,
  steps: readonly Step[],
  onFault: (error: Error) => void,
): void {
  for (const [index, step] of steps.entries()) {
    inStep(index, () => checkNodes(stage, step))
    stage.agenda.at(step.at, () => {
      try {
        inStep(index, () => playStep(stage, step))
      } catch (error) {
        onFault(error as Error)
      }
    })
  }
}

/** What the scenario got wrong says in which step. */
function inStep(index: number, act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof InvalidInput)) throw error
    throw new InvalidInput(`scenario: step ${index + 1}: ${error.message}`, { cause: error })
  }
}

/** Before anything happens, as it could be hours until that step. */
function checkNodes({ kernels }: Stage, { loseNodes = [], restoreNodes = [] }: Step): void {
  for (const name of [...loseNodes, ...restoreNodes]) {
    if (kernels.has(name)) continue
    const meant = nearest(name, [...kernels.keys()])
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`
    throw new InvalidInput(`expected a node of this cluster, got ${name}${hint}`)
  }
}

function playStep(stage: Stage, step: Step): void {
  for (const manifest of step.apply ?? []) apply(stage, manifest)
  for (const manifest of step.delete ?? []) {
    const type = typeOf(stage, manifest)
    stage.api.remove(type, { namespace: namespaceOf(type, manifest), name: manifest.metadata.name })
  }
  for (const name of step.loseNodes ?? []) stage.loseNode(name)
  for (const name of step.restoreNodes ?? []) stage.restoreNode(name)
  if (step.faults !== undefined) stage.plant(step.faults)
}

/** Server-side apply: creates it, or changes what is there. */
function apply(stage: Stage, manifest: Manifest): void {
  const type = typeOf(stage, manifest)
  const namespace = namespaceOf(type, manifest)
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${apiVersionOf(type)}`
  const within = namespace === undefined ? '' : `/namespaces/${namespace}`
  const { name } = manifest.metadata
  const answer = stage.handle({
    method: 'PATCH',
    path: `${root}${within}/${type.plural}/${name}?fieldManager=scenario&force=true`,
    headers: { 'content-type': 'application/apply-patch+yaml', 'user-agent': director },
    body: JSON.stringify(manifest),
  })
  if (answer.kind !== 'whole')
    throw new Error(`applying ${type.kind} ${name}: no whole answer came`)
  if (answer.status < 400) return
  const { message = answer.body } = JSON.parse(answer.body) as { message?: string }
  throw new InvalidInput(message)
}

const namespaceOf = (type: ResourceType, { metadata }: Manifest): string | undefined =>
  type.namespaced ? (metadata.namespace ?? 'default') : undefined

function typeOf({ api }: Stage, { apiVersion, kind }: Manifest): ResourceType {
  const found = api.types().find((type) => type.kind === kind && apiVersionOf(type) === apiVersion)
  if (found === undefined)
    throw new InvalidInput(`expected a kind that is served, got ${apiVersion} ${kind}`)
  return found
}
