/** An agent beside a kubelet's files and socket, as people see through kubectl what it publishes. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { type Background, startMbcas } from '../background.ts'
import { cellsOf, linesOf } from '../contracts/kubectl-lines.ts'
import { kubectlOf } from '../contracts/run-kubectl.ts'
import { placesOf } from '../cpu/machines.ts'
import { writeSysFolder } from '../cpu/sys-folder.ts'
import { type Embedded, startEmbedded } from '../embedded.ts'
import { type FakeKubelet, recorded, servePodResources } from '../pod-resources.ts'
import { pathOf, real, skipUnless } from '../real.ts'
import { root } from '../run.ts'
import { until } from '../until.ts'

void describe('the topology of a node', { skip: skipUnless(real.kubernetes) }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-topology-'))
  const [kubeletDir, sys] = [join(folder, 'kubelet'), join(folder, 'sys')]
  const checkpoint = join(kubeletDir, 'cpu_manager_state')
  let cluster: Embedded
  let kubelet: FakeKubelet
  let agent: Background | undefined

  /** As a kubelet does it. */
  const assign = (shared: string, entries: object): void => {
    const state = { policyName: 'static', defaultCpuSet: shared, entries, checksum: 1 }
    writeFileSync(`${checkpoint}.new`, JSON.stringify(state))
    renameSync(`${checkpoint}.new`, checkpoint)
  }

  const kubectl = async (...args: string[]): Promise<string> => {
    const { kubeconfig } = cluster
    const place = {
      binary: join(pathOf(real.kubernetes), 'kubectl'),
      kubeconfig,
      cache: join(folder, 'cache'),
    }
    const { code, out, err } = await kubectlOf(place)(args)
    assert.equal(code, 0, err)
    return out
  }
  /** The row of the node, once there is one. */
  const row = async (): Promise<string[]> => {
    const [, line] = linesOf(await kubectl('get', 'noderesourcetopologies'))
    return cellsOf(line).slice(0, 5)
  }
  const untilFree = async (cpus: string): Promise<void> => {
    let free: string | undefined
    const look = async (): Promise<boolean> => (free = (await row())[4]) === cpus
    await until(`CPUs ${cpus} to be free`, look, () => free)
  }

  before(async () => {
    mkdirSync(join(kubeletDir, 'pod-resources'), { recursive: true })
    const shape = { sockets: 2, nodes: 1, cores: 2, threads: 2, together: true }
    writeSysFolder(sys, { cpus: placesOf(shape), kibibytes: 2 ** 20 })
    writeFileSync(
      join(kubeletDir, 'config.yaml'),
      'cpuManagerPolicy: static\ntopologyManagerPolicy: single-numa-node\n',
    )
    assign('0-7', {})
    const socket = join(kubeletDir, 'pod-resources', 'kubelet.sock')
    kubelet = await servePodResources(socket, () => recorded)
    cluster = await startEmbedded('--nodes', '1', '--cpus', '8')
  })
  after(async () => {
    await agent?.stop()
    await cluster.stop()
    await kubelet.stop()
    rmSync(folder, { recursive: true })
  })

  void test('is shown by kubectl get, and follows what the kubelet gives away', async () => {
    await kubectl('apply', '-f', join(root, 'deploy', 'crds'))
    await kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=300s')
    const { kubeconfig } = cluster
    const flags = { node: 'node-0', kubeconfig, 'kubelet-dir': kubeletDir, sys, listen: ':0' }
    const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value])
    agent = startMbcas('agent', ...args)
    await untilFree('0-6')
    assert.deepEqual(await row(), ['node-0', 'static', 'single-numa-node', 'container', '0-6'])
    assert.ok(kubelet.asked.includes('/v1.PodResourcesLister/List'))

    assign('0-3,6-7', { u1: { app: '4-5' } })
    await untilFree('0-3,6')
    const available = '{.zones[*].resources[?(@.name=="cpu")].available}'
    const printed = await kubectl('get', 'node-res-topo', 'node-0', '-o', `jsonpath=${available}`)
    assert.equal(printed, '4 1')
  })

  void test('is told to be missing once where its kind is not defined, and the agent goes on', async () => {
    await kubectl('delete', 'crd', 'noderesourcetopologies.topology.node.k8s.io')
    assign('0-7', {})
    const told = () => agent?.lines.filter(({ msg }) => msg === 'publishing topology') ?? []
    await until('the agent to tell it', () => told().length > 0)
    assert.match(JSON.stringify(told()[0]), /kubectl apply -f deploy\/crds/)
    const clearings = () => agent?.lines.filter(({ msg }) => msg === 'market cleared').length ?? 0
    const before = clearings()
    await until('another clearing', () => clearings() > before)
    assert.equal(told().length, 1)
  })
})
