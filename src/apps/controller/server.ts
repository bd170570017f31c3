/** Whether the API server can resize a pod in place. */
import { InvalidInput } from '../../core/errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Kube } from '../../ports/kube.ts'
import type { Log } from '../../ports/log.ts'

export type Server = {
  /** Why it cannot, in words; undefined when it can. */
  readonly tooOld: string | undefined
}

/** Resizing in place is on by default from this version on. */
const oldest = { major: 1, minor: 33 }

export async function learnServer(kube: Pick<Kube, 'raw'>, signal: AbortSignal): Promise<Server> {
  const {
    major = '',
    minor = '',
    gitVersion,
  } = (await kube.raw('/version', { signal })) as {
    major?: string
    minor?: string
    gitVersion?: string
  }
  if (gitVersion === undefined) {
    throw new InvalidInput(
      'asking the server for its version: expected a Kubernetes API server, got another; check the server in the kubeconfig',
    )
  }
  // Clouds write "33+".
  const [a = 0, b = 0] = [major, minor].map((part) => Number.parseInt(part, 10))
  const expected = `expected Kubernetes ${oldest.major}.${oldest.minor} or later, which resizes pods in place`
  if (!(a > oldest.major || (a === oldest.major && b >= oldest.minor))) {
    return { tooOld: `${expected}, got ${gitVersion}; upgrade the cluster` }
  }
  const { resources = [] } = (await kube.raw('/api/v1', { signal })) as {
    resources?: readonly { readonly name: string }[]
  }
  if (resources.some(({ name }) => name === 'pods/resize')) return { tooOld: undefined }
  return {
    tooOld: `expected pods/resize, got ${gitVersion} without it; turn its feature gate InPlacePodVerticalScaling on`,
  }
}

type Asking = {
  readonly kube: Pick<Kube, 'raw'>
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}

const TRY_AGAIN_MILLIS = 1000

/** Asks until there is an answer, or nobody wants it any more; that it is too old is said once. */
export async function awaitServer({ kube, clock, log, signal }: Asking): Promise<Server> {
  while (!signal.aborted) {
    try {
      const server = await learnServer(kube, signal)
      if (server.tooOld !== undefined) log('warn', 'only recommending', { reason: server.tooOld })
      return server
    } catch (error) {
      if (!signal.aborted) log('warn', 'asking for the version', { error })
      await clock.sleep(TRY_AGAIN_MILLIS, signal)
    }
  }
  return { tooOld: 'it was not asked' }
}
