/** The Node that a kubelet registers, and the status that it posts. */
import type { ResourceList } from '../../apis/pod.ts'
import { formatBytes, formatMillicores } from '../../core/quantity.ts'
import { bytes, millicores } from '../../core/units.ts'
import { hostnameLabel, type NodeCondition, type SimNodeStatus, zoneLabel } from '../nodes/node.ts'
import { timeOf } from '../timestamps.ts'
import type { NodeSettings } from './node-settings.ts'

const gibibyte = 1024 ** 3
const kubeletVersion = 'v1.36.3'

/** Amounts of extended resources by name, as device plugins last told them. */
export type Devices = ReadonlyMap<string, number>

type StatusInput = {
  readonly settings: NodeSettings
  readonly devices: Devices
  readonly isReady: boolean
  /** Milliseconds since 1970. */
  readonly wall: number
  readonly old?: SimNodeStatus | undefined
}

/** Without the status, which is written apart. */
export function newNode(settings: NodeSettings): unknown {
  const { name, podCidr, zone, labels } = settings
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        [hostnameLabel]: name,
        'kubernetes.io/os': 'linux',
        ...(zone !== undefined && { [zoneLabel]: zone }),
        ...labels,
      },
    },
    spec: { podCIDR: podCidr, podCIDRs: [podCidr] },
  }
}

export function nodeStatus({ settings, devices, isReady, wall, old }: StatusInput): SimNodeStatus {
  const { name, address, milliCpu, memoryBytes, reserved } = settings
  const devicesText = Object.fromEntries([...devices].map(([key, count]) => [key, String(count)]))
  const rest = {
    'ephemeral-storage': formatBytes(bytes(settings.ephemeralStorageBytes ?? 100 * gibibyte)),
    'hugepages-1Gi': '0',
    'hugepages-2Mi': '0',
    pods: String(settings.pods ?? 110),
    ...devicesText,
  }
  const amounts = (cpu: number, memory: number): ResourceList => ({
    cpu: formatMillicores(millicores(cpu)),
    memory: formatBytes(bytes(memory)),
    ...rest,
  })
  return {
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: name },
    ],
    allocatable: amounts(
      milliCpu - (reserved?.milliCpu ?? 0),
      memoryBytes - (reserved?.memoryBytes ?? 0),
    ),
    capacity: amounts(milliCpu, memoryBytes),
    conditions: nodeConditions({ isReady, now: timeOf(wall), old: old?.conditions ?? [] }),
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    declaredFeatures: [
      'InPlacePodLevelResourcesVerticalScaling',
      'InPlacePodVerticalScalingInitContainers',
    ],
    nodeInfo: {
      architecture: 'amd64',
      bootID: '',
      containerRuntimeVersion: 'containerd://2.1.0',
      kernelVersion: '6.18.0',
      kubeProxyVersion: '',
      kubeletVersion,
      machineID: '',
      operatingSystem: 'linux',
      osImage: 'MBCAS embedded cluster',
      systemUUID: '',
    },
  }
}

const pressures = [
  ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
] as const

function nodeConditions(at: {
  readonly isReady: boolean
  readonly now: string
  readonly old: readonly NodeCondition[]
}): readonly NodeCondition[] {
  const { isReady, now, old } = at
  const dated = (said: Pick<NodeCondition, 'type' | 'status' | 'reason' | 'message'>) => {
    const before = old.find(({ type }) => type === said.type)
    const lastTransitionTime = before?.status === said.status ? before.lastTransitionTime : now
    return { ...said, lastHeartbeatTime: now, lastTransitionTime }
  }
  const ready = isReady
    ? {
        reason: 'KubeletReady',
        message: 'kubelet is posting ready status',
        status: 'True' as const,
      }
    : {
        reason: 'KubeletNotReady',
        message: '[container runtime status check may not have completed yet]',
        status: 'False' as const,
      }
  return [
    ...pressures.map(([type, reason, message]) =>
      dated({ type, status: 'False', reason, message }),
    ),
    dated({ type: 'Ready', ...ready }),
  ]
}

/** Whether what is told apart from heartbeats differs: then it is posted at once. */
export function differs(a: SimNodeStatus | undefined, b: SimNodeStatus): boolean {
  const told = (status: SimNodeStatus | undefined) => [
    status?.allocatable,
    status?.capacity,
    status?.conditions?.map(({ type, status, reason }) => [type, status, reason]),
  ]
  return JSON.stringify(told(a)) !== JSON.stringify(told(b))
}
