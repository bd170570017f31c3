/** The control law on a plant, sample by sample, as the agent runs it. */
import type { LawStep } from '../../src/core/demand/law.ts'
import { track, type Tracked } from '../../src/core/demand/tracker.ts'
import type { Plant } from './queue-plant.ts'

export type Turn = {
  readonly atSeconds: number
  readonly law: LawStep
  readonly tracked: Tracked
  /** In force until this sample. */
  readonly quotaCores: number
}

export type Control = {
  readonly plant: Plant
  readonly cpus: number
  /** What is granted of what is wanted; all of it unless told. Undefined leaves the quota. */
  readonly grant?: (turn: Turn) => number | undefined
  readonly each: (turn: Turn) => void
}

export type LawRun = Control & { readonly samplingSeconds: number; readonly forSeconds: number }

export const toMicros = (cores: number): number => Math.max(1000, Math.round(cores * 100_000))

/** Takes a sample at each call. */
export function startControl(control: Control): (atSeconds: number) => void {
  const { plant, cpus, each, grant = ({ law }) => law.quotaCores } = control
  let tracked: Tracked | undefined
  return (atSeconds) => {
    const reading = plant.read(Math.round(atSeconds * 1e6))
    tracked = track(tracked, reading, { cpus })
    const { law } = tracked
    if (law === undefined || reading.quotaMicros === null) return
    const quotaCores = reading.quotaMicros / reading.periodMicros
    const turn = { atSeconds, law, tracked, quotaCores }
    const granted = grant(turn)
    if (granted !== undefined) plant.set(toMicros(granted), toMicros(granted))
    each(turn)
  }
}

export function runLaw({ samplingSeconds, forSeconds, ...control }: LawRun): void {
  const sample = startControl(control)
  const turns = Math.round(forSeconds / samplingSeconds)
  for (let i = 0; i <= turns; i += 1) sample(i * samplingSeconds)
}
