/** `mbcas cpu` as a user starts it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { placesOf } from '../cpu/machines.ts'
import { each } from '../each.ts'
import { mbcas } from '../run.ts'

const question = {
  topology: { cpus: placesOf({ sockets: 1, nodes: 1, cores: 4, threads: 2, together: true }) },
  options: { 'full-pcpus-only': true },
  reserved: '0',
  available: '1-7',
  request: 4,
  affinity: [0],
}

async function ask(command: string, asked: unknown): Promise<unknown> {
  const input = JSON.stringify(asked)
  const { code, stdout, stderr } = await mbcas(['cpu', command, '-f', '-', '-o', 'json'], { input })
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const pods = ['cpu', 'plan', '-f', 'examples/cpu/pods.yaml']
const plan = [...pods, '--topology', 'examples/cpu/two-sockets.json']

void describe('mbcas cpu', { concurrency: 4 }, () => {
  void test('one question gets one answer', async () => {
    assert.deepEqual(await ask('assign', question), { cpus: '2-5' })
  })

  void test('a list gets a list, and a refusal ends with 0', async () => {
    assert.deepEqual(await ask('assign', [question, { ...question, request: 3 }]), [
      { cpus: '2-5' },
      { error: 'SMT Alignment Error: requested 3 cpus not multiple cpus per core = 2' },
    ])
  })

  void test('hints', async () => {
    const { affinity: _, ...asked } = question
    assert.deepEqual(await ask('hints', { ...asked, reusable: '' }), {
      hints: [{ affinity: [0], preferred: true }],
    })
  })

  void test('merge', async () => {
    const providers = [{ cpu: [{ affinity: [1], preferred: true }], device: null }]
    assert.deepEqual(await ask('merge', { policy: 'restricted', numaNodes: [0, 1], providers }), {
      hint: { affinity: [1], preferred: true },
      admit: true,
    })
  })

  void test('what is no question ends with 2 and says why', async () => {
    const { code, stdout, stderr } = await mbcas(['cpu', 'assign'], { input: '{"request": 1}' })
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
    assert.match(stderr, /^mbcas: standard input: question: expected topology, got nothing$/m)
  })

  void test('a plan shows CPUs, the verdict and the sockets', async () => {
    const flags = ['--reserved-cpus', '0,8', '--topology-policy', 'restricted', '--scope', 'pod']
    const { code, stdout } = await mbcas([...plan, ...flags])
    assert.equal(code, 0)
    assert.match(stdout, /default\/database: admitted/)
    assert.match(stdout, /engine +app +1-2,9-10/)
    assert.match(stdout, /default\/train: refused: TopologyAffinityError: Resources cannot be/)
    assert.match(stdout, /^socket 0 {2}NUMA 0 {2}RR BB BB \.\.$/m)
  })

  void test('a plan for machines', async () => {
    const flags = ['--topology-policy', 'single-numa-node', '--reserved-count', '1', '-o', 'json']
    const { code, stdout } = await mbcas([...plan, ...flags])
    assert.equal(code, 0)
    const { pods } = JSON.parse(stdout) as { pods: { pod: string; admitted: boolean }[] }
    assert.deepEqual(
      pods.map(({ pod, admitted }) => [pod, admitted]),
      [
        ['default/database', true],
        ['default/render', true],
        ['default/train', false],
      ],
    )
  })

  each(
    [
      {
        name: 'a plan needs a machine',
        args: pods,
        says: /^mbcas: expected --topology or --node, got neither$/m,
      },
      {
        name: 'and not two',
        args: [...plan, '--node', 'n'],
        says: /^error: option '--topology <file>' cannot be used with option '--node <node>'$/m,
      },
      {
        name: 'a node needs a cluster',
        args: [...pods, '--node', 'n', '--kubeconfig', '/nowhere'],
        says: /^mbcas: reading \/nowhere: /m,
      },
      {
        name: 'no kubelet has such a policy',
        args: [...plan, '--topology-policy', 'strict'],
        says: /Allowed choices are none, best-effort, restricted, single-numa-node\./,
      },
      {
        name: 'memory is reserved on NUMA nodes as for the node',
        args: [...plan, '--reserved-memory', '0:memory=1Gi', '--node-reserved', 'memory=2Gi'],
        says: /^mbcas: a kubelet would not start so: the total amount "1Gi" of type "memory" is not equal to the value "2Gi"/m,
      },
    ],
    async ({ args, says }) => {
      const { code, stdout, stderr } = await mbcas(args)
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
      assert.match(stderr, says)
    },
  )
})
