/** `mbcas explain pod`: what it has, wants, got and why, in a few lines. */
import { millicoresIn, type PodAllocation, podAllocations } from '../../apis/pod-allocation.ts'
import { type Pod, pods, type ResourceRequirements } from '../../apis/pod.ts'
import { InvalidInput } from '../../core/errors.ts'
import { isMissingType, isReason, type Kube } from '../../ports/kube.ts'
import { showMillicores } from './show.ts'

export async function explainPod(kube: Pick<Kube, 'get'>, place: string): Promise<string> {
  const [namespace = '', name = '', more] = place.split('/')
  if (namespace === '' || name === '' || more !== undefined) {
    throw new InvalidInput(`explaining a pod: expected NAMESPACE/NAME, got "${place}"`)
  }
  const pod = await orNothing(kube.get(pods, { namespace, name }))
  if (pod === undefined) {
    throw new InvalidInput(
      `explaining a pod: there is no pod ${name} in the namespace ${namespace}; see kubectl get pods -n ${namespace}`,
    )
  }
  const allocation = await orNothing(kube.get(podAllocations, { namespace, name }))
  return [heading(place, pod), ...has(pod), ...(allocation ? told(allocation) : untold), ''].join(
    '\n',
  )
}

async function orNothing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (isReason(error, 'NotFound') && !isMissingType(error)) return undefined
    throw error
  }
}

const heading = (place: string, { spec, status }: Pod): string =>
  `${place} on ${spec.nodeName ?? 'no node yet'}: ${status?.phase ?? 'Unknown'}, ${status?.qosClass ?? 'no QoS class yet'}`

const row = (word: string, text: string): string => `  ${word.padEnd(8)}${text}`

function has({ spec, status }: Pod): string[] {
  return spec.containers.map(({ name, resources }) => {
    const found = status?.containerStatuses?.find((container) => container.name === name)
    const restarts = found === undefined ? '' : `, ${found.restartCount} restarts`
    return row('has', `${name}: ${cpuOf(found?.resources ?? resources)}${restarts}`)
  })
}

const cpuOf = (resources: ResourceRequirements | undefined): string =>
  `request ${show(resources?.requests?.['cpu'])}, limit ${show(resources?.limits?.['cpu'])}`

const show = (quantity: string | number | undefined): string =>
  quantity === undefined ? 'none' : showMillicores(millicoresIn(quantity))

function told({ spec, status }: PodAllocation): string[] {
  const { decision, desiredCPURequest, desiredCPULimit } = spec
  const wants = decision?.need === undefined ? [] : [row('wants', show(decision.need))]
  const price = decision?.price === undefined ? '' : `, at a price of ${decision.price} a millicore`
  const got = `request ${show(desiredCPURequest)}, limit ${show(desiredCPULimit)}${price}`
  const state = `${status?.phase ?? 'Pending'}: ${status?.message ?? 'no controller has looked at it yet'}`
  const why = decision?.reason === undefined ? [] : [row('why', decision.reason)]
  return [...wants, row('got', got), row('state', state), ...why]
}

const untold = [
  row('got', 'nothing: it has no PodAllocation'),
  row('why', 'no agent bids for it: is one running on its node, and is the pod managed?'),
]
