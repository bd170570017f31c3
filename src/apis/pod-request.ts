/** What a pod asks of the CPU, Memory and Topology Managers of its node. */
import type { ContainerKind, ContainerRequest, PodRequest } from '../core/cpu/pod-request.ts'
import { InvalidInput } from '../core/errors.ts'
import { parseMillicores, parseQuantity } from '../core/quantity.ts'
import type { Bytes, Millicores } from '../core/units.ts'
import { qosClassOf } from './pod-qos.ts'
import type { Container, Pod, ResourceList, ResourceRequirements } from './pod.ts'

export function podRequestOf({ metadata, spec, status }: Pod): PodRequest {
  const inits = (spec.initContainers ?? []).map(withDefaults)
  const apps = spec.containers.map(withDefaults)
  const qosClass =
    status?.qosClass ?? qosClassOf({ ...spec, containers: apps, initContainers: inits })
  return {
    uid: metadata.uid ?? `${metadata.namespace ?? 'default'}/${metadata.name}`,
    isGuaranteed: qosClass === 'Guaranteed',
    hasPodResources: !isEmpty(spec.resources),
    containers: [
      ...inits.map((one) => requestOf(one, one.restartPolicy === 'Always' ? 'sidecar' : 'init')),
      ...apps.map((one) => requestOf(one, 'app')),
    ],
  }
}

const isEmpty = ({ requests = {}, limits = {} }: ResourceRequirements = {}): boolean =>
  Object.keys({ ...requests, ...limits }).length === 0

/** As the API server does, for pods that it has not seen: who sets a limit alone requests as much. */
const withDefaults = (container: Container): Container => {
  const { requests, limits } = container.resources ?? {}
  return {
    ...container,
    resources: { ...container.resources, requests: { ...limits, ...requests } },
  }
}

function requestOf({ name, resources }: Container, kind: ContainerKind): ContainerRequest {
  const requests: ResourceList = resources?.requests ?? {}
  const memory = Object.entries(requests).filter(
    ([resource]) => resource === 'memory' || resource.startsWith('hugepages-'),
  )
  return {
    name,
    kind,
    cpu: cpuIn(name, requests['cpu']),
    memory: Object.fromEntries(memory.map(([resource, text]) => [resource, bytesIn(text)])),
  }
}

function cpuIn(container: string, text = '0'): Millicores {
  try {
    return parseMillicores(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new InvalidInput(`container ${container}: cpu: ${error.message}`, { cause: error })
  }
}

/** Not rounded: of parts of a byte the kubelet's Memory Manager makes a refusal. */
const bytesIn = (text: string): Bytes => (Number(parseQuantity(text).nanos) / 1e9) as Bytes
