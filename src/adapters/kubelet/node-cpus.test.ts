import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { placesOf } from '../../../test/cpu/machines.ts'
import { writeSysFolder } from '../../../test/cpu/sys-folder.ts'
import { answer, recorded, servePodResources } from '../../../test/pod-resources.ts'
import { openNodeCpus } from './node-cpus.ts'

const signal = new AbortController().signal

void describe('the CPUs of a node, from its kernel and its kubelet', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-node-cpus-'))
  after(() => rmSync(folder, { recursive: true }))
  const [kubeletDir, sys] = [join(folder, 'kubelet'), join(folder, 'sys')]
  const socket = join(kubeletDir, 'pod-resources', 'kubelet.sock')
  mkdirSync(join(kubeletDir, 'pod-resources'), { recursive: true })
  const shape = { sockets: 2, nodes: 1, cores: 2, threads: 2, together: true }
  writeSysFolder(sys, { cpus: placesOf(shape), kibibytes: 2 ** 20 })
  const kubeletConfig = join(kubeletDir, 'config.yaml')

  function open(place = sys) {
    const told: string[] = []
    const log = (level: string, message: string) => told.push(`${level} ${message}`)
    return { source: openNodeCpus({ kubeletDir, kubeletConfig, sys: place }, log), told }
  }

  void test('what is not there is not known, and told once', async () => {
    const { source, told } = open(join(folder, 'nowhere'))
    await source.refresh(signal)
    await source.refresh(signal)
    assert.equal(source.current(), undefined)
    assert.deepEqual(told, ['warn topology of the machine not read', 'warn kubelet not asked'])
  })

  void test('files and answers come together, and are the same value while nothing changes', async () => {
    const { source, told } = open()
    writeFileSync(kubeletConfig, 'topologyManagerPolicy: best-effort\n')
    writeFileSync(
      join(kubeletDir, 'cpu_manager_state'),
      '{"policyName":"static","defaultCpuSet":"2-7","entries":{"u1":{"app":"0-1"}},"checksum":1}',
    )
    const before = source.current()
    assert.equal(before?.settings.topologyManager?.policy, 'best-effort')
    assert.deepEqual(before.exclusive.get('u1')?.get('app'), [0, 1])
    assert.deepEqual(
      before.machine?.nodes.map(({ distances }) => distances),
      [
        [10, 21],
        [21, 10],
      ],
    )
    assert.equal(before.settings.cpuManager?.reserved, undefined)

    let answers = recorded
    const kubelet = await servePodResources(socket, () => answers)
    await source.refresh(signal)
    const known = source.current()
    assert.deepEqual(known?.settings.cpuManager?.reserved, [7])
    await source.refresh(signal)
    assert.equal(source.current(), known, 'the same answers are no news')

    answers = { ...recorded, GetAllocatableResources: answer(Buffer.from('12020001', 'hex')) }
    await source.refresh(signal)
    assert.deepEqual(source.current()?.settings.cpuManager?.reserved, [2, 3, 4, 5, 6, 7])
    await kubelet.stop()
    await source.refresh(signal)
    assert.deepEqual(told, ['warn kubelet not asked'], 'what was known stands')
    assert.deepEqual(source.current()?.settings.cpuManager?.reserved, [2, 3, 4, 5, 6, 7])
  })
})
