/** Which pods stay out of the market, why in words, and what CPU they hold all the same. */
import type { Millicores } from '../units.ts'
import { millicoresUp, type NodePod } from './pod.ts'

export const systemNamespaces: ReadonlySet<string> = new Set([
  'kube-system',
  'kube-public',
  'kube-node-lease',
  'mbcas-system',
])

/** Undefined for a pod that takes part. The first reason that holds is told. */
export function whyUnmanaged(pod: NodePod): string | undefined {
  if (pod.phase === 'finished') return 'has finished'
  if (pod.wishes.isOptedOut) return 'opted out by mbcas.io/managed'
  if (systemNamespaces.has(pod.namespace)) return `is in the system namespace ${pod.namespace}`
  if (pod.isStatic) return 'is a static pod, which cannot be resized'
  if (pod.phase === 'pending') return 'is not running yet'
  if (pod.phase === 'terminating') return 'is terminating'
  if (pod.qosClass === 'Guaranteed') return 'is Guaranteed: its CPU is promised in full'
  if (pod.qosClass === 'BestEffort') return 'is BestEffort: it is watched, not touched'
  if (pod.hasPodResources) return 'has resources of the pod as a whole: it is watched, not touched'
  return whyContainersUnmanaged(pod)
}

function whyContainersUnmanaged({ containers }: NodePod): string | undefined {
  if (containers.length === 0) return 'has no containers'
  const restarting = containers.find(({ restartsOnResize }) => restartsOnResize)
  if (restarting !== undefined) {
    return `would have its container ${restarting.name} restarted for every change, by its resize policy`
  }
  const unlimited = containers.find(({ limit }) => limit === undefined)
  if (unlimited !== undefined) {
    return `has no CPU limit on container ${unlimited.name}, and one that was set could not be taken away again: it is watched, not touched`
  }
  const unmeasured = containers.find(({ demandCores }) => demandCores === undefined)
  if (unmeasured !== undefined) return `is not measured yet: container ${unmeasured.name}`
  return undefined
}

/** The larger of use and request: it may use what it was promised at any moment. */
export function heldBy({ phase, containers }: NodePod): Millicores {
  if (phase === 'finished') return 0 as Millicores
  const requested = containers.reduce((sum, { request = 0 }) => sum + request, 0)
  const used = containers.reduce((sum, { usageCores = 0 }) => sum + usageCores, 0)
  return Math.max(requested, millicoresUp(used)) as Millicores
}
