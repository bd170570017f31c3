/**
 * What `mbcas cpu plan` foretells is what a real kubelet does, from a file and beside what its agent
 * tells; and what an agent tells is so. The tests follow on each other.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { nodeResourceTopologies } from '../../src/apis/node-resource-topology.ts'
import { type Pod, pods } from '../../src/apis/pod.ts'
import { openRealStage, type RealStage } from '../controller-scenes/real-stage.ts'
import { type SysMachine, writeSysFolder } from '../cpu/sys-folder.ts'
import { realCluster, skipUnless } from '../real.ts'
import { mbcas, run } from '../run.ts'
import { until } from '../until.ts'
import { type Fate, kubeletCases, others } from './kubelet-cases.ts'
import { foretold, type PrintedPlan, seen, type Verdict } from './kubelet-verdicts.ts'
import { podOf } from './real-pods.ts'

void describe('a real kubelet', { skip: skipUnless(...realCluster) }, () => {
  let stage: RealStage
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-cpu-'))
  const sysOf = (node: number): string => join(folder, `sys-${node}`)
  const topologyOf = (node: number): string => join(folder, `topology-${node}.json`)

  before(async () => {
    const { stdout: ownTopology } = await run('lscpu', ['-J', '-e'])
    for (const [node, { machine }] of kubeletCases.entries()) {
      if (machine) writeSysFolder(sysOf(node), machine)
      writeFileSync(topologyOf(node), machine ? JSON.stringify(fileOf(machine)) : ownTopology)
    }
    stage = await openRealStage({
      nodes: kubeletCases.length,
      kubelet: (node) => kubeletCases[node]?.kubelet ?? {},
      sys: (node) => kubeletCases[node]?.machine && sysOf(node),
    })
  })
  after(async () => {
    await stage?.close()
    rmSync(folder, { recursive: true })
  })

  async function plan(items: readonly Pod[], flags: readonly string[]): Promise<PrintedPlan> {
    const input = JSON.stringify({ kind: 'List', items })
    const args = ['cpu', 'plan', ...flags, '-f', '-', '-o', 'json']
    const { code, stdout, stderr } = await mbcas(args, { input })
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout) as PrintedPlan
  }

  /** What is published of its NUMA nodes. */
  async function zonesOf(name: string): Promise<string[]> {
    const topology = `noderesourcetopology/${name}`
    await stage.kubectl('wait', '--for=create', '--timeout=300s', topology)
    const { zones } = await stage.kube.get(nodeResourceTopologies, { name })
    return zones.map(({ resources = [] }) => {
      const cpu = resources.find((one) => one.name === 'cpu')
      return `${cpu?.capacity} CPUs, ${cpu?.allocatable} allocatable, ${cpu?.available} available`
    })
  }

  /** One after the other: who comes first takes first. */
  async function play(items: readonly Pod[], nodeName: string): Promise<Verdict[]> {
    const verdicts: Verdict[] = []
    for (const pod of items) {
      await stage.kube.create(pods, pod)
      const { namespace = '', name = '' } = pod.metadata
      await until(`a verdict on ${name}`, async () => {
        const found = await stage.kube.get(pods, { namespace, name })
        const verdict = seen(stage.nodeOf(nodeName), found)
        if (verdict !== undefined) verdicts.push(verdict)
        return verdict !== undefined
      })
    }
    return verdicts
  }

  const podsOf = (nodeName: string, fates: readonly Fate[]): Pod[] =>
    fates.map(({ wish }) => podOf({ namespace: 'default', nodeName, ...wish }))
  const expected = (fates: readonly Fate[]): Verdict[] => fates.map(({ is }) => is)

  for (const [node, { name, flags, pods: first, told, later }] of kubeletCases.entries()) {
    const nodeName = `node-${node}`

    void test(`${name}: as foretold from a file`, async () => {
      const all = [...first, ...later]
      const from = ['--topology', topologyOf(node), ...flags.split(' ')]
      assert.deepEqual(foretold(await plan(podsOf(nodeName, all), from)), expected(all))
      assert.deepEqual(await play(podsOf(nodeName, first), nodeName), expected(first))
    })

    void test(`${name}: as its agent tells, and as foretold from that`, async () => {
      await stage.startAgent({ node, config: { slowLoopInterval: '5s' } })
      assert.deepEqual(await zonesOf(nodeName), told)
      const from = ['--node', nodeName, '--kubeconfig', stage.kubeconfig]
      const items = podsOf(nodeName, later)
      assert.deepEqual(foretold(await plan(items, from)), expected(later))
      assert.deepEqual(await play(items, nodeName), expected(later))
    })
  }

  void test('the kernel holds the pods to these CPUs, and the others to the rest', async () => {
    const allowedTo = async (pod: string): Promise<string> => {
      const status = await stage.kubectl('exec', pod, '--', 'cat', '/proc/self/status')
      return /^Cpus_allowed_list:\s*(.*)$/m.exec(status)?.[1] ?? ''
    }
    const ready = ['wait', '--for=condition=Ready', '--timeout=300s']
    await stage.kubectl(...ready, 'pod/pinned', 'pod/shared')
    assert.equal(await allowedTo('pinned'), others)
    const { shared } = await plan([], ['--node', 'node-0', '--kubeconfig', stage.kubeconfig])
    assert.equal(shared, '0')
    await until('the shared pool to shrink', async () => (await allowedTo('shared')) === shared)
  })

  void test('an agent tells of a core that two have to share', async () => {
    const query = ['--field-selector=reason=CPUMisaligned', '-o', 'jsonpath={.items[*].message}']
    let told = ''
    await until('an event', async () => {
      told = await stage.kubectl('get', 'events', ...query)
      return told !== ''
    })
    assert.match(told, /^container main shares physical cores of its CPU 1 with .* on CPU 0:/)
  })
})

/** As `mbcas cpu plan --topology` reads it. */
function fileOf({ cpus, kibibytes }: SysMachine): object {
  const nodes = [...new Set(cpus.map(({ numa }) => numa))]
  return { cpus, numaNodes: nodes.map((id) => ({ id, memory: { memory: `${kibibytes}Ki` } })) }
}
