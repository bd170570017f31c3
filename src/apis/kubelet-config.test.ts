import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { readKubeletFile } from './kubelet-config.ts'

const read = (fields: unknown) => readKubeletFile(fields, 'kubelet.yaml')

void describe("apis: a kubelet's configuration file", () => {
  void test('what it does not say is what a kubelet does by itself', () => {
    const usual = {
      cpuManagerPolicy: 'none',
      cpuManagerOptions: {},
      reservedCpus: undefined,
      topologyManagerPolicy: 'none',
      topologyManagerScope: 'container',
      topologyManagerOptions: {},
      memoryManagerPolicy: 'None',
      reservedMemory: new Map(),
    }
    assert.deepEqual(read({ kind: 'KubeletConfiguration', maxPods: 110 }), usual)
    for (const nothing of ['', null]) {
      const fields = {
        cpuManagerPolicy: nothing,
        reservedSystemCPUs: nothing,
        topologyManagerPolicy: nothing,
        topologyManagerScope: nothing,
        memoryManagerPolicy: nothing,
      }
      assert.deepEqual(read(fields), usual)
    }
  })

  void test('memory is reserved by NUMA node', () => {
    const { reservedMemory } = read({
      reservedMemory: [
        { numaNode: 0, limits: { memory: '1Gi', 'hugepages-2Mi': '64Mi' } },
        { numaNode: 1, limits: { memory: 1024 } },
        { numaNode: 1, limits: { 'hugepages-1Gi': '1Gi' } },
      ],
    })
    assert.deepEqual(
      reservedMemory,
      new Map([
        [0, { memory: 2 ** 30, 'hugepages-2Mi': 2 ** 26 }],
        [1, { memory: 1024, 'hugepages-1Gi': 2 ** 30 }],
      ]),
    )
  })

  void test('reserved CPUs are told where they are listed', () => {
    assert.deepEqual(read({ reservedSystemCPUs: '0,4-5' }).reservedCpus, [0, 4, 5])
    assert.equal(read({ kubeReserved: { cpu: '2' } }).reservedCpus, undefined)
  })

  each(
    [
      { name: 'no object', given: 'none', says: /^kubelet\.yaml: expected an object, got "none"/ },
      {
        name: 'a policy that is no text',
        given: { cpuManagerPolicy: 1 },
        says: /^kubelet\.yaml: expected cpuManagerPolicy to be a text, got 1/,
      },
      {
        name: 'memory that is no amount',
        given: { reservedMemory: [{ numaNode: 1, limits: { memory: 'much' } }] },
        says: /^kubelet\.yaml: NUMA node 1: memory: parsing quantity "much"/,
      },
    ],
    ({ given, says }) => assert.throws(() => read(given), { name: 'InvalidInput', message: says }),
  )
})
