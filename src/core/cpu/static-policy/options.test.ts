import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { machines } from '../../../../test/cpu/machines.ts'
import { each } from '../../../../test/each.ts'
import { isRefusal } from '../refusal.ts'
import { type GivenOptions, readStaticOptions } from './options.ts'
import { createStaticPolicy } from './policy.ts'

const refused = (answer: object): string | undefined =>
  isRefusal(answer) ? answer.error : undefined

void describe('core/cpu: options of the static policy', () => {
  void test('texts and switches are read alike', () => {
    const options = readStaticOptions({
      'full-pcpus-only': 'T',
      'align-by-socket': true,
      'strict-cpu-reservation': '0',
    })
    assert.ok(!isRefusal(options))
    assert.equal(options['full-pcpus-only'], true)
    assert.equal(options['align-by-socket'], true)
    assert.equal(options['strict-cpu-reservation'], false)
    assert.equal(options['distribute-cpus-across-numa'], false)
  })

  const pairs = [
    ['full-pcpus-only', 'distribute-cpus-across-cores'],
    ['distribute-cpus-across-numa', 'distribute-cpus-across-cores'],
    ['prefer-align-cpus-by-uncorecache', 'distribute-cpus-across-cores'],
    ['prefer-align-cpus-by-uncorecache', 'distribute-cpus-across-numa'],
  ] as const
  each(
    pairs.map((pair) => ({ name: `${pair.join(' and ')} exclude each other`, pair })),
    ({ pair: [one, other] }) => {
      const says = `static policy options ${one} and ${other} can not be used at the same time`
      assert.equal(refused(readStaticOptions({ [one]: true, [other]: true })), says)
      assert.equal(refused(readStaticOptions({ [one]: true, [other]: false })), undefined)
    },
  )

  each(
    [
      {
        name: 'an unknown option',
        given: { 'full-cores': true } as GivenOptions,
        says: 'unknown CPU Manager Policy option: "full-cores"',
      },
      {
        name: 'a value that is no switch',
        given: { 'full-pcpus-only': 'yes' },
        says: 'bad value for option "full-pcpus-only": strconv.ParseBool: parsing "yes": invalid syntax',
      },
    ],
    ({ given, says }) => assert.equal(refused(readStaticOptions(given)), says),
  )
})

void describe('core/cpu: what a static policy refuses to start with', () => {
  const setup = { topology: machines['two sockets'], options: {}, reserved: [] as number[] }

  each(
    [
      {
        name: 'align-by-socket with single-numa-node',
        given: { options: { 'align-by-socket': true }, topologyPolicy: 'single-numa-node' },
        says: /^Topolgy manager single-numa-node policy is incompatible/,
      },
      {
        name: 'align-by-socket where sockets are more than NUMA nodes',
        given: {
          options: { 'align-by-socket': true },
          topology: machines['two sockets in one node'],
        },
        says: /number of sockets are more than number of NUMA$/,
      },
      {
        name: 'a reserved CPU that is not there',
        given: { reserved: [99] },
        says: /unknown CPU ID: 99$/,
      },
      {
        name: 'more to reserve than there is',
        given: { reserved: 17 },
        says: /unable to reserve the required amount of CPUs \(size of {2}did not equal 17\)$/,
      },
    ],
    ({ given, says }) => {
      assert.match(refused(createStaticPolicy({ ...setup, ...given })) ?? '', says)
    },
  )

  void test('so many to reserve are the lowest, core by core', () => {
    const policy = createStaticPolicy({ ...setup, reserved: 3 })
    assert.ok(!isRefusal(policy))
    assert.deepEqual(policy.reserved, [0, 1, 8])
    assert.deepEqual(policy.reservedCores, [0, 1, 8, 9])
  })
})
