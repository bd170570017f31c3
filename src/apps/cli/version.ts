/** `mbcas version`: of this program and, if asked, of the cluster. */
import { apiVersion, groups } from '../../apis/names.ts'
import { isReason, type Kube } from '../../ports/kube.ts'
import { linesOf, type View } from './output.ts'

type Versions = {
  readonly client: string
  readonly node: string
  readonly server?: ServerVersion
}

type ServerVersion = {
  readonly address: string
  readonly kubernetes: string
  /** Whether our resource types are there. */
  readonly isInstalled: boolean
}

type Server = { readonly kube: Pick<Kube, 'raw'>; readonly address: string }

export async function versionView(
  client: { readonly version: string; readonly node: string },
  server: Server | undefined,
): Promise<View> {
  const { version, node } = client
  const found = server && (await askServer(server))
  const data: Versions = { client: version, node, ...(found && { server: found }) }
  const lines = [`mbcas ${version} on Node ${node}`, ...(found ? serverLines(found) : [])]
  return { data, names: [], text: () => linesOf(lines) }
}

const api = `${groups.allocation}/${apiVersion}`

async function askServer({ kube, address }: Server): Promise<ServerVersion> {
  const [told, isInstalled] = await Promise.all([kube.raw('/version'), hasApi(kube)])
  const { gitVersion } = told as { readonly gitVersion?: string }
  return { address, kubernetes: gitVersion ?? 'unknown', isInstalled }
}

async function hasApi(kube: Pick<Kube, 'raw'>): Promise<boolean> {
  try {
    await kube.raw(`/apis/${api}`)
    return true
  } catch (error) {
    if (isReason(error, 'NotFound')) return false
    throw error
  }
}

const serverLines = ({ address, kubernetes, isInstalled }: ServerVersion): string[] => [
  `Kubernetes ${kubernetes} at ${address}`,
  isInstalled ? `${api} is installed` : `${api} is not installed: kubectl apply -f deploy/crds`,
]
