/** The workloads as Deployments, and their pods once they answer. */
import { get } from 'node:http'
import { relative } from 'node:path'

import { type Pod, cpuIn, pods } from '../../../src/apis/pod.ts'
import { deploymentOf, workloadLabel } from '../../../src/sim/workload-objects.ts'
import { isReady } from '../../contracts/expect.ts'
import { cpuCgroup } from '../../kubernetes/cgroups.ts'
import { groupsOf } from '../../real/real-pods.ts'
import { until } from '../../until.ts'
import type { ArmNode } from './arm.ts'
import type { Evaluation, PassWorkload } from './evaluation.ts'
import { commandOf, serverImage } from './image.ts'

export type RunningPod = {
  readonly uid: string
  readonly name: string
  readonly workload: string
  readonly address: string
  /** Millicores; no limit is 0. */
  readonly limit: number
  /** Below the cpu hierarchy. */
  readonly groups: { readonly pod: string; readonly container: string }
}

const namespace = 'default'

export async function deploy(
  { apply }: ArmNode,
  { workloads }: Evaluation,
  hasLimits: boolean,
): Promise<void> {
  const items = workloads.map((one) => manifestOf(one, hasLimits))
  await apply({ apiVersion: 'v1', kind: 'List', items })
}

function manifestOf({ workload, loads }: PassWorkload, hasLimits: boolean): object {
  const { limit: _limit, ...cpu } = workload.cpu
  const { spec, ...deployment } = deploymentOf(hasLimits ? workload : { ...workload, cpu })
  const { template, ...rest } = spec as DeploymentSpec
  const [load] = loads
  const command =
    load?.kind === 'steady'
      ? commandOf('burn', String(load.milliCpu))
      : commandOf('serve', load?.kind === 'requests' ? String(load.threads) : '1')
  const containers = template.spec.containers.map((container) => ({
    ...container,
    image: serverImage,
    imagePullPolicy: 'Never',
    command,
  }))
  const pod = { terminationGracePeriodSeconds: 0, enableServiceLinks: false, containers }
  return { ...deployment, spec: { ...rest, template: { ...template, spec: pod } } }
}

type DeploymentSpec = {
  readonly template: { readonly spec: { readonly containers: readonly object[] } }
}

export const workloadOf = ({ metadata }: Pod): string => metadata.labels?.[workloadLabel] ?? ''

export const listPods = async ({ stage }: ArmNode): Promise<readonly Pod[]> =>
  (await stage.kube.list(pods, { namespace })).items

/** All of them, in the order of the workloads. */
export async function untilRunning(
  node: ArmNode,
  { workloads }: Evaluation,
): Promise<readonly RunningPod[]> {
  const wanted = workloads.reduce((sum, { workload }) => sum + workload.replicas, 0)
  const found = await until('all pods to run', async () => {
    const all = await listPods(node)
    return all.length === wanted && all.every(isReady) && all
  })
  const names = workloads.map(({ workload }) => workload.name)
  const running = found
    .toSorted((a, b) => names.indexOf(workloadOf(a)) - names.indexOf(workloadOf(b)))
    .map((pod) => runningOf(node, pod))
  const isServer = new Set(
    workloads
      .filter(({ loads }) => loads[0]?.kind === 'requests')
      .map(({ workload }) => workload.name),
  )
  await Promise.all(running.filter(({ workload }) => isServer.has(workload)).map(warmUp))
  return running
}

export function runningOf({ node }: ArmNode, pod: Pod): RunningPod {
  const { podIP = '' } = (pod.status ?? {}) as { readonly podIP?: string }
  const { pod: group, container } = groupsOf(node, pod, workloadOf(pod))
  const root = cpuCgroup('')
  return {
    uid: pod.metadata.uid ?? '',
    name: pod.metadata.name ?? '',
    workload: workloadOf(pod),
    address: podIP,
    limit: cpuIn(pod.spec.containers[0]?.resources?.limits) ?? 0,
    groups: { pod: relative(root, group), container: relative(root, container) },
  }
}

const warmRequests = 16

/** Until its code is compiled and all its workers have started. */
async function warmUp({ name, address }: RunningPod): Promise<void> {
  await until(`${name} to answer`, async () => answers(address))
  await Promise.all(Array.from({ length: warmRequests }, async () => answers(address)))
}

const answers = async (host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get({ host, port: 8080, path: '/2000', agent: false }, (response) => {
      response.resume().once('end', () => resolve(true))
    })
    request.once('error', () => resolve(false))
  })

/** With all that they leave. */
export async function removePods(node: ArmNode): Promise<void> {
  await node.kubectl('delete', 'deployments', '--all', '--cascade=foreground', '--timeout=120s')
  await until('all pods to go', async () => (await listPods(node)).length === 0)
}
