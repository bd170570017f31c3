/**
 * The workloads of a scenario on the cluster: Deployments that come, go and change in number, and
 * pods whose load changes without a restart.
 *
 * Each pod of a workload has a slot, the lowest that is free, and its load a seed of the scenario's
 * seed, the workload, the slot and the load. So whoever sizes the pods, and wherever they run, the
 * same requests come.
 */
import { createHash } from 'node:crypto'

import { loadAnnotation, parseWrittenLoad } from '../apis/load.ts'
import type { Workload } from '../apis/scenario-workload.ts'
import type { Api } from './apiserver/api.ts'
import type { ApiObject } from './apiserver/object.ts'
import type { Answer, Request } from './apiserver/serve/exchange.ts'
import { applyManifest, deleteManifest, director } from './apply-manifest.ts'
import { isEnded, type SimPod } from './nodes/pod.ts'
import { namespaces, pods } from './resources.ts'
import { rewrite } from './rewrite.ts'
import { deploymentOf, namespaceOf, workloadLabel } from './workload-objects.ts'

type Stage = { readonly api: Api; readonly handle: (request: Request) => Answer }

export type Workloads = {
  /** As the scenario has it, whether or not it is there. */
  readonly come: (name: string) => void
  readonly go: (name: string) => void
  readonly setLoad: (name: string, load: string) => void
  readonly scale: (name: string, replicas: number) => void
  /** Its pods are replaced, as its Deployment has it. */
  readonly roll: (name: string) => void
}

/** A template that differs is rolled out. */
const rolledAnnotation = 'sim.mbcas.io/rolled'

type Standing = {
  readonly workload: Workload
  /** Of now. */
  load: string
  replicas: number
  /** How often it has been rolled. */
  rolled: number
  /** By the UID of a pod. */
  readonly slots: Map<string, number>
}

export function createWorkloads(
  stage: Stage,
  { workloads, seed }: { readonly workloads: readonly Workload[]; readonly seed: number },
): Workloads {
  const { api } = stage
  const standings = new Map(
    workloads.map((workload): [string, Standing] => {
      const { name, load, replicas } = workload
      return [name, { workload, load, replicas, rolled: 0, slots: new Map() }]
    }),
  )
  const standingOf = (name: string): Standing => {
    const found = standings.get(name)
    if (found === undefined) throw new Error(`finding workload ${name}: there is none`)
    return found
  }
  /** Whose pod it is, if it is one of a workload. */
  const ownerOf = ({ metadata }: ApiObject): Standing | undefined => {
    const found = standings.get(metadata.labels?.[workloadLabel] ?? '')
    return found?.workload.namespace === metadata.namespace ? found : undefined
  }

  const setLoadOf = (pod: ApiObject, { workload: { name }, load, slots }: Standing): void => {
    const slot = slots.get(pod.metadata.uid) ?? 0
    const text = withSeed(load, `${seed}/${name}/${slot}/${load}`)
    rewrite(api, { of: pods, object: pod, by: { manager: director } }, (current) => {
      const { annotations = {}, ...rest } = current.metadata
      if (annotations[loadAnnotation] === text || isEnded(current as SimPod)) return current
      return {
        ...current,
        metadata: { ...rest, annotations: { ...annotations, [loadAnnotation]: text } },
      }
    })
  }
  const deploy = ({ workload, replicas, rolled }: Standing): void => {
    if (api.find(namespaces, { name: workload.namespace }) === undefined) {
      applyManifest(stage, namespaceOf(workload))
    }
    const marks = rolled === 0 ? {} : { [rolledAnnotation]: String(rolled) }
    const annotations = { ...workload.annotations, ...marks }
    applyManifest(stage, deploymentOf({ ...workload, replicas, annotations }))
  }
  const setLoad = (name: string, load: string): void => {
    const standing = standingOf(name)
    standing.load = load
    for (const pod of api.list(pods, standing.workload.namespace)) {
      if (ownerOf(pod) === standing) setLoadOf(pod, standing)
    }
  }

  if (workloads.length > 0) {
    api.subscribe(pods, ({ type, object }) => {
      const standing = ownerOf(object)
      if (standing === undefined) return
      const { slots } = standing
      const { uid, deletionTimestamp } = object.metadata
      // Its successor comes before it is gone.
      if (type === 'DELETED' || deletionTimestamp !== undefined) slots.delete(uid)
      else if (type === 'ADDED') {
        slots.set(uid, lowestFree([...slots.values()]))
        setLoadOf(object, standing)
      }
    })
  }

  return {
    come(name) {
      const standing = standingOf(name)
      standing.replicas = standing.workload.replicas
      deploy(standing)
      setLoad(name, standing.workload.load)
    },
    go: (name) =>
      deleteManifest(stage, deploymentOf(standingOf(name).workload), { isGoneFine: true }),
    setLoad,
    scale(name, replicas) {
      const standing = standingOf(name)
      standing.replicas = replicas
      deploy(standing)
    },
    roll(name) {
      const standing = standingOf(name)
      standing.rolled += 1
      deploy(standing)
    },
  }
}

function lowestFree(taken: readonly number[]): number {
  let slot = 0
  while (taken.includes(slot)) slot += 1
  return slot
}

/** Only where chance plays a part, and no seed was given. */
function withSeed(text: string, of: string): string {
  const load = parseWrittenLoad(text)
  if (!('seed' in load) || load.seed !== null) return text
  return `${text} seed=${createHash('sha256').update(of).digest().readUInt32BE(0)}`
}
