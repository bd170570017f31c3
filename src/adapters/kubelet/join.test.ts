import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { machine } from '../../../test/cpu/machines.ts'
import { each } from '../../../test/each.ts'
import { readKubeletFile } from '../../apis/kubelet-config.ts'
import { bareMachine } from '../../core/cpu/machine.ts'
import { bytes } from '../../core/units.ts'
import { joinSources, type Sources } from './join.ts'

const eight = bareMachine(machine({ sockets: 2, nodes: 1, cores: 2, threads: 2, together: true }))
const file = (fields: object) => readKubeletFile(fields, 'kubelet.yaml')
const checkpoint = (policy: string) => ({ policy, shared: [0, 1, 6, 7], exclusive: new Map() })
const answered = (cpus: readonly number[]) => ({ cpus, devices: [] })

void describe('what is known of the CPUs of a node', () => {
  void test('is nothing without a trace of a kubelet', () => {
    assert.equal(joinSources({ machine: eight }), undefined)
  })

  void test('is in full what its kubelet has and does', () => {
    const exclusive = new Map([['u1', new Map([['app', [2, 3]]])]])
    const held = new Map([
      ['u1', new Map([['app', [{ resource: 'memory', numa: [0], bytes: 1024 }]]])],
    ])
    const reserved = new Map([[0, { memory: bytes(2048) }]])
    const known = joinSources({
      machine: eight,
      file: file({
        cpuManagerPolicyOptions: { 'full-pcpus-only': 'true' },
        topologyManagerPolicy: 'restricted',
        topologyManagerScope: 'pod',
        topologyManagerPolicyOptions: { 'prefer-closest-numa-nodes': 'true' },
      }),
      cpu: { policy: 'static', shared: [0, 1, 4, 5, 6, 7], exclusive },
      memory: { policy: 'Static', reserved, held },
      resources: answered([1, 2, 3, 4, 5, 6, 7]),
    })
    assert.deepEqual(known, {
      machine: eight,
      settings: {
        cpuManager: { policy: 'static', options: { 'full-pcpus-only': 'true' }, reserved: [0] },
        topologyManager: {
          policy: 'restricted',
          scope: 'pod',
          options: { 'prefer-closest-numa-nodes': 'true' },
        },
        memoryManager: { policy: 'Static', reserved },
      },
      shared: [0, 1, 4, 5, 6, 7],
      exclusive,
      memory: held,
      devices: [],
    })
  })

  const none = { policy: 'none', scope: 'container', options: {} }
  each<{ name: string; given: Sources; settings: object; shared?: readonly number[] }>(
    [
      {
        name: 'a file that says nothing: what a kubelet does by itself',
        given: { file: file({}) },
        settings: {
          cpuManager: { policy: 'none', options: {} },
          topologyManager: none,
          memoryManager: { policy: 'None', reserved: new Map() },
        },
        shared: eight.topology.cpus,
      },
      {
        name: 'a checkpoint alone: what it says',
        given: { cpu: checkpoint('static') },
        settings: { cpuManager: { policy: 'static', options: {} } },
        shared: [0, 1, 6, 7],
      },
      {
        name: 'a checkpoint is of the kubelet that runs, so that it wins over the file',
        given: { cpu: checkpoint('none'), file: file({ cpuManagerPolicy: 'static' }) },
        settings: {
          cpuManager: { policy: 'none', options: {} },
          topologyManager: none,
          memoryManager: { policy: 'None', reserved: new Map() },
        },
        shared: eight.topology.cpus,
      },
    ],
    ({ given, settings, shared }) => {
      const known = joinSources({ machine: eight, ...given })
      assert.deepEqual(known?.settings, settings)
      assert.deepEqual(known.shared, shared)
    },
  )

  each<{ name: string; given: Sources; reserved: readonly number[] | undefined }>(
    [
      {
        name: 'reserved are the CPUs that the running kubelet never gives away',
        given: {
          resources: answered([0, 1, 2, 3, 4, 5, 6]),
          file: file({ reservedSystemCPUs: '0' }),
        },
        reserved: [7],
      },
      {
        name: 'else those of its file',
        given: { file: file({ reservedSystemCPUs: '0,4' }) },
        reserved: [0, 4],
      },
      { name: 'else nobody knows', given: {}, reserved: undefined },
    ],
    ({ given, reserved }) => {
      const known = joinSources({ machine: eight, cpu: checkpoint('static'), ...given })
      assert.deepEqual(known?.settings.cpuManager?.reserved, reserved)
    },
  )
})
