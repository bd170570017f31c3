/** Starts the parts in the order in which they need each other, and waits for what they wait for. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { until } from '../until.ts'
import { controlPlane, nodeParts } from './commands.ts'
import type { NodePlan, Plan } from './config.ts'
import { busyboxTar } from './images.ts'
import type { Machine } from './machine.ts'

export async function bringUp(cluster: {
  readonly plan: Plan
  readonly machine: Machine
  readonly kubectl: (args: readonly string[]) => Promise<string>
  readonly say: (text: string) => void
}): Promise<void> {
  const { plan, machine, kubectl, say } = cluster
  const start = performance.now()
  const { etcd, apiserver, controllers } = controlPlane(plan)
  machine.start('etcd', etcd)
  machine.start('kube-apiserver', apiserver)
  await Promise.all([startControllers(), ...plan.nodes.map(startContainerd)])
  if (plan.nodes.length === 0) return
  for (const node of plan.nodes)
    machine.start(`${node.name}-kubelet`, nodeParts(plan, node).kubelet)
  const nodes = plan.nodes.map((node) => `node/${node.name}`)
  await success('nodes Ready', async () =>
    kubectl(['wait', '--for=condition=Ready', '--timeout=1s', ...nodes]),
  )

  async function startControllers() {
    await success('API server ready', async () => kubectl(['get', '--raw=/readyz']))
    if (plan.nodes.length === 0) return // they would have nothing to do
    for (const [name, command] of Object.entries(controllers)) machine.start(name, command)
  }

  async function startContainerd(node: NodePlan) {
    machine.start(`${node.name}-containerd`, nodeParts(plan, node).containerd)
    const ctr = ['ctr', '--address', node.containerd, '--namespace', 'k8s.io']
    await success(`containerd ready on ${node.name}`, async () =>
      machine.answer([...ctr, 'version']),
    )
    const tar = join(node.folder, 'busybox.tar')
    writeFileSync(tar, busyboxTar())
    await machine.answer([...ctr, 'image', 'import', tar])
  }

  async function success(what: string, attempt: () => Promise<string>) {
    await until(what, async () => {
      machine.check()
      return attempt().then(
        () => true,
        () => false,
      )
    })
    say(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  }
}
