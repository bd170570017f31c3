/** The command lines of the cluster's parts. */
import { join } from 'node:path'

import type { NodePlan, Plan } from './config.ts'

const flags = (options: Record<string, string | boolean>) =>
  Object.entries(options).map(([name, value]) => `--${name}=${value}`)

export const controlPlane = (plan: Plan) => ({
  etcd: [
    'etcd',
    ...flags({
      'data-dir': join(plan.folder, 'etcd'),
      'listen-client-urls': `http://${plan.loopback}:2379`,
      'advertise-client-urls': `http://${plan.loopback}:2379`,
      'listen-peer-urls': `http://${plan.loopback}:2380`,
      'initial-advertise-peer-urls': `http://${plan.loopback}:2380`,
      'initial-cluster': `default=http://${plan.loopback}:2380`,
      'unsafe-no-fsync': true,
    }),
  ],
  apiserver: [
    join(plan.binaries, 'kube-apiserver'),
    ...flags({
      'etcd-servers': `http://${plan.loopback}:2379`,
      'bind-address': plan.loopback,
      'secure-port': '6443',
      'advertise-address': plan.address,
      'endpoint-reconciler-type': 'none', // a pod could not reach it there
      'kubelet-preferred-address-types': 'InternalIP', // its name means nothing to a resolver
      'cert-dir': join(plan.folder, 'pki'),
      'token-auth-file': join(plan.folder, 'pki/tokens.csv'),
      'authorization-mode': 'Node,RBAC',
      'service-account-issuer': 'https://kubernetes.default.svc',
      'service-account-key-file': join(plan.folder, 'pki/accounts.key'),
      'service-account-signing-key-file': join(plan.folder, 'pki/accounts.key'),
      'service-cluster-ip-range': '198.19.0.0/16',
      'allow-privileged': true,
      'disable-admission-plugins': 'ServiceAccount', // or a new namespace's first pods are refused
    }),
  ],
  controllers: {
    'kube-controller-manager': [
      join(plan.binaries, 'kube-controller-manager'),
      ...flags({
        ...controller(plan, '10257'),
        'service-account-private-key-file': join(plan.folder, 'pki/accounts.key'),
        'root-ca-file': join(plan.folder, 'pki/apiserver.crt'),
      }),
    ],
    'kube-scheduler': [join(plan.binaries, 'kube-scheduler'), ...flags(controller(plan, '10259'))],
  },
})

const controller = (plan: Plan, port: string) => ({
  kubeconfig: join(plan.folder, 'kubeconfig'),
  'leader-elect': false,
  'bind-address': plan.loopback,
  'secure-port': port,
  'cert-dir': join(plan.folder, 'pki'),
})

export const nodeParts = (plan: Plan, node: NodePlan) => ({
  containerd: ['containerd', '--config', join(node.folder, 'containerd.toml')],
  kubelet: [
    ...(node.sys === undefined ? [] : onAnotherMachine(node.sys)),
    join(plan.binaries, 'kubelet'),
    ...flags({
      config: node.kubeletConfig,
      kubeconfig: join(node.folder, 'kubeconfig'),
      'hostname-override': node.name,
      'node-ip': plan.address,
      'root-dir': node.kubeletFolder,
      'cert-dir': join(node.folder, 'pki'),
    }),
  ],
})

/** A command that becomes the one that follows. Only /sys is its own: it mounts volumes for others. */
const onAnotherMachine = (sys: string) => [
  'unshare',
  '--mount',
  '--propagation=unchanged',
  'sh',
  '-ec',
  'mount --make-private /sys; mount --bind "$0" /sys/devices/system; exec "$@"',
  sys,
]
