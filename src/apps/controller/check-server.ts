import { InvalidInput } from '../../core/errors.ts'
import type { Kube } from '../../ports/kube.ts'

/** Resizing in place is on by default from this version on. */
const oldest = { major: 1, minor: 33 }

/** Refuses a server that cannot resize a pod in place. */
export async function checkServer(kube: Pick<Kube, 'raw'>, signal: AbortSignal): Promise<void> {
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
  const [a, b] = [major, minor].map((part) => Number.parseInt(part, 10))
  if (a === oldest.major ? (b ?? 0) >= oldest.minor : (a ?? 0) > oldest.major) return
  throw new InvalidInput(
    `asking the server for its version: expected Kubernetes ${oldest.major}.${oldest.minor} or later, ` +
      `which resizes pods in place, got ${gitVersion}; upgrade the cluster`,
  )
}
