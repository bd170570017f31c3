/** A pod's request and limit become its containers', by what each could use. */
import { type Millicores, plus, split } from '../units.ts'
import type { PodContainer } from './pod.ts'

/** The kubelet's smallest quota is 1 ms of 100; and 0 would mean no limit at all. */
export const SMALLEST_LIMIT = 10

/** Of a pod, besides demand: an idle container must be able to wake up. */
const IDLE_SHARE = 100

export type ContainerShare = {
  readonly name: string
  readonly request: Millicores
  readonly limit: Millicores
}

export type PodShare = {
  readonly need: Millicores
  readonly limit: Millicores
  /** A request is at most this part of its limit, and so never equal to it: QoS stays Burstable. */
  readonly requestRatio: number
}

/** Limits sum to the pod's; requests to at most its need. `limit` is at least 10m a container. */
export function shareOverContainers(
  containers: readonly PodContainer[],
  { need, limit, requestRatio }: PodShare,
): ContainerShare[] {
  const idle = IDLE_SHARE / containers.length
  const weights = containers.map(({ demandCores = 0 }) => demandCores * 1000 + idle)
  const smallest = SMALLEST_LIMIT as Millicores
  const free = (limit - smallest * containers.length) as Millicores
  const limits = split(free, weights).map((part) => plus(smallest, part))
  const needs = split(need, weights)
  return containers.map(({ name }, i) => {
    const [limit = smallest, need = smallest] = [limits[i], needs[i]]
    const request = Math.max(1, Math.min(need, Math.floor(requestRatio * limit))) as Millicores
    return { name, request, limit }
  })
}
