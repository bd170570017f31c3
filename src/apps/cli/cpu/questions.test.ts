import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { placesOf } from '../../../../test/cpu/machines.ts'
import { each } from '../../../../test/each.ts'
import { answers } from './questions.ts'

const topology = { cpus: placesOf({ sockets: 2, nodes: 1, cores: 2, threads: 2, together: true }) }
const question = { topology, reserved: '0', available: '1-7', request: 2 }

void describe('apps/cli: questions about a kubelet', () => {
  each(
    [
      { name: 'assign: CPUs in list format', given: {}, gives: { cpus: '2-3' } },
      { name: 'assign: a merged affinity', given: { affinity: [1] }, gives: { cpus: '4-5' } },
      { name: 'assign: no affinity', given: { affinity: null }, gives: { cpus: '2-3' } },
      { name: 'assign: nothing asked for', given: { request: 0 }, gives: { cpus: '' } },
      {
        name: 'assign: no reserved CPUs',
        given: { reserved: '', available: '0-7' },
        gives: { cpus: '0-1' },
      },
      {
        name: 'assign: reserved CPUs are not available, whatever is said',
        given: { available: '0-7', request: 1 },
        gives: { cpus: '1' },
      },
      {
        name: 'assign: a refusal is an answer',
        given: { options: { 'full-pcpus-only': true }, request: 3 },
        gives: {
          error: 'SMT Alignment Error: requested 3 cpus not multiple cpus per core = 2',
        },
      },
      {
        name: 'assign: options that exclude each other are refused',
        given: { options: { 'full-pcpus-only': true, 'distribute-cpus-across-cores': 'true' } },
        gives: {
          error:
            'static policy options full-pcpus-only and distribute-cpus-across-cores can not be used at the same time',
        },
      },
      {
        name: 'assign: options that the machine or the policy does not allow are refused',
        given: { options: { 'align-by-socket': true }, topologyPolicy: 'single-numa-node' },
        gives: {
          error:
            'Topolgy manager single-numa-node policy is incompatible with CPUManager align-by-socket policy option',
        },
      },
    ],
    ({ given, gives }) => assert.deepEqual(answers.assign({ ...question, ...given }), gives),
  )

  void test('hints: those of the CPU Manager', () => {
    assert.deepEqual(answers.hints({ ...question, request: 4 }), {
      hints: [
        { affinity: [1], preferred: true },
        { affinity: [0, 1], preferred: false },
      ],
    })
    assert.deepEqual(answers.hints({ ...question, request: 0 }), { hints: null })
  })

  void test('merge: one choice, and whether the pod is admitted', () => {
    const asked = {
      policy: 'restricted',
      numaNodes: [0, 1],
      options: { 'prefer-closest-numa-nodes': true },
      distances: [
        [10, 21],
        [21, 10],
      ],
      providers: [{ cpu: [{ affinity: [0], preferred: true }], device: null }],
    }
    const gives = { hint: { affinity: [0], preferred: true }, admit: true }
    assert.deepEqual(answers.merge(asked), gives)
    assert.deepEqual(answers.merge([asked, { ...asked, providers: [{ cpu: [] }] }]), [
      gives,
      { hint: { affinity: [0, 1], preferred: false }, admit: false },
    ])
  })

  void test('a list of questions gets a list of answers', () => {
    assert.deepEqual(answers.assign([question, { ...question, request: 9 }]), [
      { cpus: '2-3' },
      { error: 'not enough cpus available to satisfy request: requested=9, available=7' },
    ])
    assert.deepEqual(answers.assign([]), [])
    assert.throws(() => answers.assign([question, { ...question, available: '9' }]), {
      message: 'question 2: expected available to be CPUs of the topology, got also 9',
    })
  })

  each(
    [
      {
        name: 'an unknown key is no question',
        given: { requests: 2 },
        says: /unknown key "requests"; did you/,
      },
      {
        name: 'half a CPU is no question',
        given: { request: 1.5 },
        says: /request to be a whole number/,
      },
      {
        name: 'a bad list is no question',
        given: { available: '1-' },
        says: /^question: parsing CPUs "1-"/,
      },
      {
        name: 'a CPU that is not there is no question',
        given: { available: '1-8' },
        says: /got also 8$/,
      },
    ],
    ({ given, says }) => {
      assert.throws(() => answers.assign({ ...question, ...given }), {
        name: 'InvalidInput',
        message: says,
      })
    },
  )
})
