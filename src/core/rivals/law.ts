/** One shape for the control laws of others, so that one bench puts all to the same load. */
import { type Millicores, millicores, type Millis } from '../units.ts'

/** What happened to one container since the sample before. */
export type Sample = {
  readonly at: Millis
  readonly seconds: number
  readonly usageCores: number
  /** Enforcement periods in which it ran out of quota. */
  readonly throttledPeriods: number
  /** Use of the CPUs that no pod has for itself, 0 to 1; undefined when unknown. */
  readonly sharePoolRatio?: number | undefined
}

export type Decision<State> = {
  readonly state: State
  readonly quota: Millicores
  readonly request: Millicores
  readonly reason: string
}

export type Law<State> = {
  readonly name: string
  /** How often it wants a sample. */
  readonly every: Millis
  /** What it writes as CPU burst, in quotas. */
  readonly burstRatio: number
  readonly start: (quota: Millicores, at: Millis) => State
  readonly decide: (state: State, sample: Sample) => Decision<State>
}

/** Kubernetes' smallest limit: a quota of 1 ms in a period of 100 ms. */
const SMALLEST = 10

export const toMillicores = (cores: number): Millicores =>
  millicores(Math.max(SMALLEST, Math.round(cores * 1000)))

export const showCores = (cores: number): string => `${cores.toFixed(3)} cores`
