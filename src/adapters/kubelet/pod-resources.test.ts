import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import {
  answer,
  type Answers,
  field,
  recorded,
  servePodResources,
} from '../../../test/pod-resources.ts'
import { askPodResources } from './pod-resources.ts'

void describe("a kubelet's pod-resources service", () => {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-pod-resources-'))
  after(() => rmSync(folder, { recursive: true }))
  const socket = join(folder, 'kubelet.sock')
  const { signal } = new AbortController()

  async function ask(answers: Partial<Answers>) {
    const kubelet = await servePodResources(socket, () => ({ ...recorded, ...answers }))
    try {
      return await askPodResources(socket, signal)
    } finally {
      await kubelet.stop()
    }
  }

  void test('tells which CPUs may be given away, as Kubernetes 1.36 does', async () => {
    assert.deepEqual(await ask({}), { cpus: [0, 1, 2, 3, 4, 5, 6], devices: [] })
  })

  void test('and counts devices by the NUMA nodes that they are near', async () => {
    const [onFirst, onBoth] = [
      field(3, field(1)), // node 0 is the default, and so not written
      field(3, field(1), field(1, Buffer.from([8, 1]))),
    ]
    const devices = (ids: readonly string[], ...topology: Buffer[]) => [
      field(1, 'example.com/nic'),
      ...ids.map((id) => field(2, id)),
      ...topology,
    ]
    const container = field(3, field(1, 'app'), field(2, ...devices(['b', 'd'], onBoth)))
    const told = await ask({
      GetAllocatableResources: answer(
        field(1, ...devices(['d'], onBoth)),
        field(1, ...devices(['a', 'b'], onFirst)),
        field(1, field(1, 'example.com/gpu'), field(2, 'a'), onFirst),
        field(1, ...devices(['c'], onFirst)),
        field(1, ...devices(['anywhere'])),
      ),
      List: answer(field(1, field(1, 'pod'), container)),
    })
    assert.deepEqual(told, {
      cpus: [],
      devices: [
        { resource: 'example.com/gpu', numa: [0], allocatable: 1, available: 1 },
        { resource: 'example.com/nic', numa: [0], allocatable: 3, available: 2 },
        { resource: 'example.com/nic', numa: [0, 1], allocatable: 1, available: 0 },
      ],
    })
  })

  each(
    [
      {
        name: 'an older one that does not know the method',
        answers: { GetAllocatableResources: { status: 12, message: 'unknown method' } },
        says: /^calling \/v1\.PodResourcesLister\/GetAllocatableResources: expected gRPC status 0, got 12: unknown method$/,
      },
      {
        name: 'an answer that is cut off',
        answers: { List: Buffer.from('00000000ff0a', 'hex') },
        says: /List: expected one message that is not compressed, got 6 bytes/,
      },
      {
        name: 'a compressed one',
        answers: { List: Buffer.from('010000000100', 'hex') },
        says: /that is not compressed/,
      },
    ],
    async ({ answers, says }) => assert.rejects(ask(answers), { message: says }),
  )

  void test('without a socket it is told which one', async () => {
    const missing = join(folder, 'none.sock')
    await assert.rejects(askPodResources(missing, signal), /ENOENT.*none\.sock/)
  })

  void test('one that never answers is left', async () => {
    const ending = new AbortController()
    const silent = createServer((client) => {
      client.on('error', () => {}) // it is left with what it was about to say
      client.once('data', () => ending.abort(new Error('long enough')))
    }).listen(socket)
    try {
      const asked = askPodResources(socket, ending.signal)
      await assert.rejects(asked, /GetAllocatableResources: .*long enough/)
    } finally {
      silent.close()
    }
  })
})
