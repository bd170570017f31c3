import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../test/each.ts'
import { readTopologySettings, type TopologyConfig } from './settings.ts'

const config = (changed: Partial<TopologyConfig> = {}): TopologyConfig => ({
  policy: 'restricted',
  numaNodes: [0, 1],
  distances: [
    [10, 21],
    [21, 10],
  ],
  ...changed,
})

const closest = 'prefer-closest-numa-nodes'
const most = 'max-allowable-numa-nodes'
const nine = Array.from({ length: 9 }, (_, id) => id)

const refused = [
  {
    name: 'an unknown option',
    given: config({ options: { closest: true } }),
    error: 'unknown Topology Manager Policy option: "closest"',
  },
  {
    name: 'an option that is neither on nor off',
    given: config({ options: { [closest]: 'yes' } }),
    error: `bad value for option "${closest}": strconv.ParseBool: parsing "yes": invalid syntax`,
  },
  {
    name: 'a number of nodes that is none',
    given: config({ options: { [most]: 'many' } }),
    error: `unable to convert policy option to integer "${most}": strconv.Atoi: parsing "many": invalid syntax`,
  },
  {
    name: 'fewer nodes than it can do',
    given: config({ options: { [most]: 7 } }),
    error: `the minimum value of "${most}" should not be less than 8`,
  },
  {
    name: 'a machine with too many nodes',
    given: config({ numaNodes: nine }),
    error: 'unsupported on machines with more than 8 NUMA Nodes',
  },
  {
    name: 'the closest nodes, where nobody knows distances',
    given: config({ options: { [closest]: true }, distances: undefined }),
    error: 'cannot discover NUMA topology: error getting NUMA distances from cadvisor',
  },
  {
    name: 'an unknown policy',
    given: config({ policy: 'strict' }),
    error: 'unknown policy: "strict"',
  },
  { name: 'an unknown scope', given: config({ scope: 'node' }), error: 'unknown scope: "node"' },
]

void describe('core/cpu: settings of the Topology Manager', () => {
  each(refused, ({ given, error }) => {
    assert.deepEqual(readTopologySettings(given), { error })
  })

  void test('without a policy nothing else is looked at', () => {
    const given = config({ policy: 'none', options: { closest: true }, numaNodes: nine })
    assert.deepEqual(readTopologySettings(given), {
      policy: 'none',
      scope: 'container',
      numaNodes: nine,
    })
  })

  void test('distances count only where the closest nodes are preferred', () => {
    const { distances, ...rest } = config({ scope: 'pod', options: { [most]: '12' } })
    const settings = { policy: 'restricted', scope: 'pod', numaNodes: [0, 1] }
    assert.deepEqual(readTopologySettings({ ...rest, distances }), settings)
    const options = { [closest]: 'true' }
    assert.deepEqual(readTopologySettings({ ...rest, distances, options }), {
      ...settings,
      distances,
    })
  })
})
