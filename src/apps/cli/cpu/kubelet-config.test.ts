import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { gibibytes } from '../../../../test/cpu/memory.ts'
import { each } from '../../../../test/each.ts'
import type { KubeletConfig } from '../../../core/cpu/admission/node.ts'
import { kubeletConfig, type KubeletFlags, usualConfig } from './kubelet-config.ts'

const topologyManager = { policy: 'restricted', scope: 'pod', options: {} }
/** As a node may have told. */
const known: KubeletConfig = {
  cpuManager: { options: { 'full-pcpus-only': 'true' }, reserved: [0] },
  memoryManager: { reserved: new Map([[0, { memory: gibibytes(1) }]]) },
  topologyManager,
}

type Row = {
  readonly name: string
  readonly flags: KubeletFlags
  readonly from?: KubeletConfig
  readonly gives: KubeletConfig
}

const rows: readonly Row[] = [
  {
    name: 'a kubelet of which nothing is known is static, and aligns nothing',
    flags: {},
    from: usualConfig,
    gives: {
      cpuManager: { options: {}, reserved: 0 },
      topologyManager: { policy: 'none', scope: 'container', options: {} },
    },
  },
  { name: 'what is known stands', flags: {}, gives: known },
  {
    name: 'flags win, one by one',
    flags: { options: '', reservedCount: 2, topologyPolicy: 'best-effort' },
    gives: {
      ...known,
      cpuManager: { options: {}, reserved: 2 },
      topologyManager: { ...topologyManager, policy: 'best-effort' },
    },
  },
  {
    name: 'the other flags, too',
    flags: {
      reservedCpus: '0-1',
      scope: 'container',
      topologyOptions: 'prefer-closest-numa-nodes',
      reservedMemory: '0:memory=2Gi',
      nodeReserved: 'memory=3Gi',
    },
    gives: {
      cpuManager: { options: { 'full-pcpus-only': 'true' }, reserved: [0, 1] },
      memoryManager: {
        reserved: new Map([[0, { memory: gibibytes(2) }]]),
        nodeReserved: { memory: gibibytes(3) },
      },
      topologyManager: {
        policy: 'restricted',
        scope: 'container',
        options: { 'prefer-closest-numa-nodes': 'true' },
      },
    },
  },
  {
    name: 'a static policy can be switched off',
    flags: { policy: 'none' },
    from: { cpuManager: { options: {}, reserved: 1 }, topologyManager },
    gives: { topologyManager },
  },
  {
    name: 'and on',
    flags: { policy: 'static' },
    from: { topologyManager },
    gives: { cpuManager: { options: {}, reserved: 0 }, topologyManager },
  },
]

void describe("apps/cli: a plan's kubelet", () => {
  each(rows, ({ flags, from = known, gives }) => {
    assert.deepEqual(kubeletConfig(flags, from), gives)
  })

  each<{ name: string; flags: KubeletFlags; message: string }>(
    [
      {
        name: 'CPUs are reserved by name or by number',
        flags: { reservedCpus: '0', reservedCount: 1 },
        message: 'expected --reserved-cpus or --reserved-count, got both',
      },
      {
        name: 'a flag that cannot be read is named',
        flags: { reservedCpus: '3-1' },
        message:
          '--reserved-cpus: parsing CPUs "3-1": expected a list such as 0-3,8 with ids up to 65535, got "3-1"',
      },
      {
        name: 'what the node reserves is for a check of reserved memory',
        flags: { nodeReserved: 'memory=1Gi' },
        message: 'expected --reserved-memory with --node-reserved, got none',
      },
    ],
    ({ flags, message }) => {
      assert.throws(() => kubeletConfig(flags, known), { name: 'InvalidInput', message })
    },
  )
})
