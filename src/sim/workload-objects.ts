/** A workload of a scenario as Kubernetes has it. */
import { loadAnnotation } from '../apis/load.ts'
import { settings } from '../apis/names.ts'
import type { Manifest } from '../apis/scenario-file.ts'
import type { Workload } from '../apis/scenario-workload.ts'
import { formatMillicores } from '../core/quantity.ts'
import type { Millicores } from '../core/units.ts'

/** The label by which the pods of a workload are known. */
export const workloadLabel = 'app'

export function namespaceOf({ namespace }: Workload): Manifest {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
}

export function deploymentOf(workload: Workload): Manifest & { readonly spec: object } {
  const { name, namespace, replicas, node, cpu, labels, evictAfter } = workload
  const own = { [workloadLabel]: name }
  const amounts = (amount: Millicores | undefined) =>
    amount === undefined ? {} : { cpu: formatMillicores(amount) }
  const resources = { requests: amounts(cpu.request), limits: amounts(cpu.limit) }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: own },
    spec: {
      replicas,
      selector: { matchLabels: own },
      template: {
        metadata: { labels: { ...labels, ...own }, annotations: annotationsOf(workload) },
        spec: {
          ...(node !== undefined && { nodeSelector: { 'kubernetes.io/hostname': node } }),
          ...(evictAfter !== undefined && { tolerations: tolerationsFor(evictAfter) }),
          containers: [{ name, image: name, resources }],
        },
      },
    },
  }
}

/** Kubernetes adds the same ones of five minutes to pods that have none. */
const tolerationsFor = (evictAfter: number): object[] =>
  ['not-ready', 'unreachable'].map((taint) => ({
    key: `node.kubernetes.io/${taint}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: Math.round(evictAfter / 1000),
  }))

function annotationsOf(workload: Workload): Record<string, string> {
  const { load, slo, weight, minCpu, maxCpu, annotations } = workload
  return {
    [loadAnnotation]: load,
    ...(slo && { [settings.targetLatencyMs]: String(slo.p99) }),
    ...(weight !== undefined && { [settings.priorityMultiplier]: String(weight) }),
    ...(minCpu !== undefined && { [settings.minCpu]: formatMillicores(minCpu) }),
    ...(maxCpu !== undefined && { [settings.maxCpu]: formatMillicores(maxCpu) }),
    ...annotations,
  }
}
