import { describeLoad, loadTextOf, parseWrittenLoad } from '../../apis/load.ts'
/** What `kubectl logs` shows of a simulated container: in a line or two what it does. */
import type { ApiObject } from '../apiserver/object.ts'
import { badRequest } from '../apiserver/refusal.ts'
import type { SimPod, Terminated } from '../nodes/pod.ts'

/** Throws in the real server's words if there is nothing to show. */
export function readLog(object: ApiObject, query: URLSearchParams): string {
  const pod = object as SimPod
  const name = chooseContainer(pod, query.get('container') ?? '')
  const { status, metadata } = pod
  if (pod.spec.nodeName === undefined) return ''
  const seen = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []),
  ].find((one) => one.name === name)
  if (query.get('previous') === 'true') {
    if (seen?.lastState.terminated === undefined) {
      throw badRequest(
        `previous terminated container "${name}" in pod "${metadata.name}" not found`,
      )
    }
    return describeEnd(seen.lastState.terminated, (since) => `${since} simulated container\n`)
  }
  const { state = { waiting: { reason: 'ContainerCreating' } }, restartCount = 0 } = seen ?? {}
  if ('waiting' in state) {
    const { reason } = state.waiting
    const said = `container "${name}" in pod "${metadata.name}" is waiting to start: ${reason}`
    throw badRequest(said)
  }
  const load = describeLoad(parseWrittenLoad(loadTextOf(metadata.annotations ?? {}, name)))
  const restarts = restartCount > 0 ? `, restarted ${restartCount} times` : ''
  const tell = (since: string) => `${since} simulated container: ${load}${restarts}\n`
  return 'running' in state ? tell(state.running.startedAt) : describeEnd(state.terminated, tell)
}

const describeEnd = (
  { startedAt, finishedAt, exitCode }: Terminated,
  tell: (since: string) => string,
): string => `${tell(startedAt)}${finishedAt} ended with exit code ${exitCode}\n`

function chooseContainer({ spec, metadata }: SimPod, asked: string): string {
  const all = [...(spec.initContainers ?? []), ...spec.containers].map(({ name }) => name)
  if (asked !== '') {
    if (all.includes(asked)) return asked
    throw badRequest(`container ${asked} is not valid for pod ${metadata.name}`)
  }
  const [only, ...others] = spec.containers
  if (only !== undefined && others.length === 0) return only.name
  const choice = all.join(' ')
  throw badRequest(
    `a container name must be specified for pod ${metadata.name}, choose one of: [${choice}]`,
  )
}
