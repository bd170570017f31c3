/** Where everything of a cluster is, and the files that its parts read. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { stringify } from 'yaml'

import type { Claim } from './claims.ts'
import { pauseImage } from './images.ts'

export interface Plan {
  readonly name: string
  readonly folder: string
  readonly binaries: string
  readonly url: string
  /** Loopback, the cluster's own: the usual ports are free there. */
  readonly loopback: string
  /** The node's and the bridge's: the kubelet refuses a loopback address. */
  readonly address: string
  readonly subnet: string
  readonly nodes: readonly NodePlan[]
}

export interface NodePlan {
  readonly name: string
  readonly index: number
  readonly folder: string
  readonly cgroup: string
  readonly containerd: string
  /** Its root directory. */
  readonly kubeletFolder: string
  readonly kubeletConfig: string
  /** What its kubelet finds at `/sys/devices/system`, if it is another machine's. */
  readonly sys: string | undefined
}

type Nodes = {
  readonly nodes: number
  readonly sys?: (node: number) => string | undefined
}

export function planCluster(claim: Claim, binaries: string, { nodes, sys }: Nodes): Plan {
  const { name, number, folder } = claim
  const loopback = `127.18.${number}.1`
  return {
    name,
    folder,
    binaries,
    loopback,
    url: `https://${loopback}:6443`,
    address: `198.18.${number}.1`,
    subnet: `198.18.${number}.0/24`,
    nodes: Array.from({ length: nodes }, (_, index): NodePlan => {
      const node = `node-${index}`
      const containerd = join(folder, node, 'containerd.sock')
      return {
        name: node,
        index,
        folder: join(folder, node),
        cgroup: `${name}/${node}`,
        containerd,
        kubeletFolder: join(folder, node, 'kubelet'),
        kubeletConfig: join(folder, node, 'kubelet.yaml'),
        sys: sys?.(index),
      }
    }),
  }
}

/** Writes every file that the command lines name. Returns the administrator's kubeconfig. */
export function writeFiles(plan: Plan, kubelet: (node: number) => object): string {
  const write = (name: string, content: string) => {
    writeFileSync(join(plan.folder, name), content, { mode: 0o600 })
    return join(plan.folder, name)
  }
  for (const folder of ['logs', 'pki', 'cni', ...plan.nodes.map((node) => node.name)])
    mkdirSync(join(plan.folder, folder), { recursive: true })
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  write('pki/accounts.key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  const admin = randomBytes(16).toString('hex')
  const tokens = [`${admin},admin,admin,"system:masters"`]
  for (const node of plan.nodes) {
    const token = randomBytes(16).toString('hex')
    tokens.push(`${token},system:node:${node.name},${node.name},"system:nodes"`)
    write(`${node.name}/kubeconfig`, kubeconfig(plan, token))
    const config = { ...kubeletConfig(plan, node), ...kubelet(node.index) }
    writeFileSync(node.kubeletConfig, stringify(config))
    write(`${node.name}/containerd.toml`, containerdConfig(plan, node))
  }
  write('pki/tokens.csv', `${tokens.join('\n')}\n`)
  write('cni/bridge.conflist', JSON.stringify(bridgeConfig(plan)))
  return write('kubeconfig', kubeconfig(plan, admin))
}

/** The API server's certificate is self-signed, for this name: verification stays on. */
const kubeconfig = (plan: Plan, token: string) =>
  stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': plan.name,
    contexts: [{ name: plan.name, context: { cluster: plan.name, user: 'user' } }],
    clusters: [
      {
        name: plan.name,
        cluster: {
          server: plan.url,
          'certificate-authority': join(plan.folder, 'pki/apiserver.crt'),
          'tls-server-name': 'kubernetes.default',
        },
      },
    ],
    users: [{ name: 'user', user: { token } }],
  })

const kubeletConfig = (plan: Plan, node: NodePlan) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  address: plan.address,
  port: 10250 + node.index,
  healthzBindAddress: plan.loopback,
  healthzPort: 10350 + node.index,
  // It listens on the bridge alone. The API server has no client certificate to show.
  authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
  authorization: { mode: 'AlwaysAllow' },
  containerRuntimeEndpoint: `unix://${node.containerd}`,
  cgroupDriver: 'cgroupfs',
  cgroupRoot: `/${node.cgroup}`,
  enforceNodeAllocatable: ['pods'],
  failCgroupV1: false,
  failSwapOn: false,
  makeIPTablesUtilChains: false,
  resolvConf: '',
  oomScoreAdj: 0,
  podLogsDir: join(node.folder, 'pods'),
  volumePluginDir: join(node.folder, 'volume-plugins'),
  evictionHard: {
    'memory.available': '1Mi',
    'nodefs.available': '1%',
    'imagefs.available': '1%',
  },
})

/** restrict_oom_score_adj: without CAP_SYS_RESOURCE every sandbox would die at once. */
const containerdConfig = (plan: Plan, node: NodePlan) => `version = 2
root = "${node.folder}/containerd"
state = "${node.folder}/containerd-state"
[grpc]
  address = "${node.containerd}"
[plugins."io.containerd.internal.v1.opt"]
  path = "${node.folder}/opt"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  restrict_oom_score_adj = true
  stream_server_address = "${plan.loopback}"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${plan.folder}/cni"
`

/** Not a gateway: that would switch on forwarding for the whole machine. */
const bridgeConfig = (plan: Plan) => ({
  cniVersion: '1.0.0',
  name: plan.name,
  plugins: [
    {
      type: 'bridge',
      bridge: plan.name,
      ipam: {
        type: 'host-local',
        dataDir: join(plan.folder, 'addresses'),
        ranges: [[{ subnet: plan.subnet, gateway: plan.address }]],
        routes: [{ dst: '0.0.0.0/0' }],
      },
    },
  ],
})
