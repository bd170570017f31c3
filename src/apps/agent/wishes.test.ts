import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { settings } from '../../apis/names.ts'
import type { Namespace } from '../../apis/namespace.ts'
import { readWishes } from './wishes.ts'

type Texts = Readonly<Record<string, string>>
type Words = { readonly annotations?: Texts; readonly labels?: Texts }

const read = (annotations: Texts, labels: Texts = {}, namespace?: Words) => {
  const home: Namespace | undefined = namespace && { metadata: { name: 'shop', ...namespace } }
  return readWishes({ metadata: { annotations, labels }, spec: { containers: [] } }, home)
}

const noWishes = {
  isOptedOut: false,
  isOff: false,
  minCpu: undefined,
  maxCpu: undefined,
  priorityMultiplier: 1,
  managesGuaranteed: false,
  coalition: undefined,
}
const noOptions = {
  mode: 'auto',
  targetLatencyMillis: undefined,
  allowsBurst: true,
  enforcement: undefined,
}

void describe('what is asked for a pod', () => {
  each(
    [
      { name: 'nothing', read: read({}) },
      {
        name: 'all there is',
        read: read({
          'mbcas.io/managed': 'false',
          'mbcas.io/mode': 'off',
          'mbcas.io/min-cpu': '0.2',
          'mbcas.io/max-cpu': '2',
          'mbcas.io/priority-multiplier': '2.5',
          'mbcas.io/target-latency-ms': '150',
          'mbcas.io/burst': 'false',
          'mbcas.io/guaranteed': 'manage',
          'mbcas.io/coalition': 'check_out.v2',
        }),
        wishes: {
          isOptedOut: true,
          isOff: true,
          minCpu: 200,
          maxCpu: 2000,
          priorityMultiplier: 2.5,
          managesGuaranteed: true,
          coalition: 'check_out.v2',
        },
        options: { mode: 'off', targetLatencyMillis: 150, allowsBurst: false },
      },
      {
        name: 'strict shares, by its namespace',
        read: read({}, {}, { labels: { 'mbcas.io/enforcement': 'strict' } }),
        options: { enforcement: 'strict' },
      },
      {
        name: 'to recommend only, which is not off',
        read: read({ 'mbcas.io/mode': 'recommend' }),
        options: { mode: 'recommend' },
      },
      {
        name: 'by a label, unless an annotation says otherwise',
        read: read(
          { 'mbcas.io/min-cpu': '300m' },
          { 'mbcas.io/managed': 'false', 'mbcas.io/min-cpu': '100m' },
        ),
        wishes: { isOptedOut: true, minCpu: 300 },
      },
      {
        name: 'by its namespace, as annotation or label',
        read: read(
          {},
          {},
          {
            annotations: { 'mbcas.io/max-cpu': '4', 'mbcas.io/burst': 'false' },
            labels: { 'mbcas.io/managed': 'false', 'mbcas.io/burst': 'true' },
          },
        ),
        wishes: { isOptedOut: true, maxCpu: 4000 },
        options: { allowsBurst: false },
      },
      {
        name: 'by the pod, whatever its namespace says',
        read: read(
          { 'mbcas.io/mode': 'auto' },
          { 'mbcas.io/managed': 'true', 'mbcas.io/burst': 'true' },
          {
            annotations: { 'mbcas.io/managed': 'false', 'mbcas.io/burst': 'false' },
            labels: { 'mbcas.io/mode': 'off', 'mbcas.io/min-cpu': '250m' },
          },
        ),
        wishes: { minCpu: 250 },
      },
      {
        name: 'to be left alone, whatever mode it has',
        read: read({ 'mbcas.io/mode': 'auto' }, {}, { labels: { 'mbcas.io/managed': 'false' } }),
        wishes: { isOptedOut: true },
      },
    ],
    ({ read, wishes, options }) => {
      const expected = { ...noWishes, ...wishes }
      const also = { ...noOptions, ...options }
      assert.deepEqual([read.wishes, read.options], [expected, also])
      assert.deepEqual([...read.cuts, ...read.problems], [])
    },
  )

  each(
    [
      {
        name: 'no quantity',
        annotations: { 'mbcas.io/min-cpu': 'lots' },
        says: /^ignoring mbcas.io\/min-cpu: parsing quantity "lots"/,
      },
      {
        name: 'no CPU at all',
        annotations: { 'mbcas.io/max-cpu': '0' },
        says: /^ignoring mbcas.io\/max-cpu: expected an amount of CPU above 0, got "0"$/,
      },
      {
        name: 'no number',
        annotations: { 'mbcas.io/priority-multiplier': '' },
        says: /^ignoring mbcas.io\/priority-multiplier: expected a number above 0, got ""$/,
      },
      {
        name: 'no time',
        annotations: { 'mbcas.io/target-latency-ms': '0' },
        says: /^ignoring mbcas.io\/target-latency-ms: expected a number from 1 to 3600000, got "0"$/,
      },
      {
        name: 'neither yes nor no',
        annotations: { 'mbcas.io/managed': 'False' },
        says: /^ignoring mbcas.io\/managed: expected "true" or "false", got "False"$/,
      },
      {
        name: 'no mode',
        annotations: { 'mbcas.io/mode': 'on' },
        says: /^ignoring mbcas.io\/mode: expected "off" or "recommend" or "auto", got "on"$/,
      },
      {
        name: 'not the one word',
        annotations: { 'mbcas.io/guaranteed': 'true' },
        says: /^ignoring mbcas.io\/guaranteed: expected "manage", got "true"$/,
      },
      {
        name: 'no name',
        annotations: { 'mbcas.io/coalition': 'a b' },
        says: /^ignoring mbcas.io\/coalition: expected a name of at most 63 letters/,
      },
      {
        name: 'more than anyone reads',
        annotations: { 'mbcas.io/mode': 'x'.repeat(100_000) },
        says: /^ignoring mbcas.io\/mode: expected .{80,120}\.\.\. \(\d+ characters\)$/,
      },
    ],
    ({ annotations, says }) => {
      const { problems } = read(annotations)
      assert.equal(problems.length, 1)
      assert.match(problems[0] ?? '', says)
    },
  )

  void test('what cannot be read does not count, so that the next word does', () => {
    const { wishes, problems } = read(
      { 'mbcas.io/min-cpu': 'lots' },
      {},
      { annotations: { 'mbcas.io/min-cpu': '-1' }, labels: { 'mbcas.io/min-cpu': '200m' } },
    )
    assert.equal(wishes.minCpu, 200)
    assert.match(problems.join('\n'), /^ignoring mbcas.io\/min-cpu: .*\n.*-cpu of namespace shop: /)
  })

  void test('every setting is read', () => {
    for (const name of Object.values(settings)) {
      assert.equal(read({ [name]: '?' }).problems.length, 1, name)
    }
  })
})

void describe('the bounds of a namespace', () => {
  const within = (annotations: Texts, home: Texts = {}) =>
    read(annotations, {}, { annotations: home })

  each(
    [
      {
        name: 'a multiplier counts for 10 at most',
        read: within({ 'mbcas.io/priority-multiplier': '1000' }),
        gives: 10,
        cuts: ['priority-multiplier 1000 is above 10: counted as 10'],
      },
      {
        name: 'and for 0.1 at least',
        read: within({ 'mbcas.io/priority-multiplier': '0.001' }),
        gives: 0.1,
        cuts: ['priority-multiplier 0.001 is below 0.1: counted as 0.1'],
      },
      {
        name: 'a bound of the namespace wins over the pod',
        read: within(
          { 'mbcas.io/priority-multiplier': '5' },
          { 'mbcas.io/max-priority-multiplier': '2' },
        ),
        gives: 2,
        cuts: ['priority-multiplier 5 is above 2: counted as 2'],
      },
      {
        name: 'and allows no more than 10',
        read: within(
          { 'mbcas.io/priority-multiplier': '50' },
          { 'mbcas.io/max-priority-multiplier': '100' },
        ),
        gives: 10,
        cuts: ['priority-multiplier 50 is above 10: counted as 10'],
      },
      {
        name: 'within them nothing is cut',
        read: within({ 'mbcas.io/priority-multiplier': '3' }),
        gives: 3,
        cuts: [],
      },
    ],
    ({ read: { wishes, cuts: said }, gives, cuts }) => {
      assert.equal(wishes.priorityMultiplier, gives)
      assert.deepEqual(said, cuts)
    },
  )

  each(
    [
      {
        name: 'the narrower ceiling counts, the pod’s',
        pod: '1',
        home: '2',
        gives: 1000,
        cuts: [],
      },
      {
        name: 'or that of its namespace, which is told',
        pod: '4',
        home: '2500m',
        gives: 2500,
        cuts: ['max-cpu 4 is above the 2500m that its namespace allows: counted as 2500m'],
      },
      {
        name: 'also where it is a label',
        pod: '4',
        label: '2',
        gives: 2000,
        cuts: ['max-cpu 4 is above the 2 that its namespace allows: counted as 2'],
      },
      { name: 'and one that cannot be read bounds nothing', pod: '4', home: 'x', gives: 4000 },
    ],
    ({ pod, home, label, gives, cuts = [] }) => {
      const name = settings.maxCpu
      const found = read(
        { [name]: pod },
        {},
        {
          ...(home !== undefined && { annotations: { [name]: home } }),
          ...(label !== undefined && { labels: { [name]: label } }),
        },
      )
      assert.deepEqual([found.wishes.maxCpu, found.cuts], [gives, cuts])
      assert.equal(found.problems.length, home === 'x' ? 1 : 0)
    },
  )

  each(
    [
      { name: 'a pod may be strict in any namespace', pod: 'strict', home: 'elastic' },
      { name: 'and follows its namespace without a word', home: 'strict' },
      {
        name: 'but not elastic in a strict one',
        pod: 'elastic',
        home: 'strict',
        cuts: ['enforcement elastic does not count: its namespace is strict'],
      },
      { name: 'elastic on a strict node is its own choice', pod: 'elastic', gives: 'elastic' },
    ],
    ({ pod, home, gives = 'strict', cuts = [] }) => {
      const name = settings.enforcement
      const found = within(
        pod === undefined ? {} : { [name]: pod },
        home === undefined ? {} : { [name]: home },
      )
      assert.deepEqual([found.options.enforcement, found.cuts], [gives, cuts])
    },
  )

  void test('no floor is above the ceiling of the namespace', () => {
    const { wishes, cuts } = within({ 'mbcas.io/min-cpu': '3' }, { 'mbcas.io/max-cpu': '2' })
    assert.deepEqual([wishes.minCpu, wishes.maxCpu], [2000, 2000])
    assert.deepEqual(cuts, ['min-cpu 3 is above the 2 that its namespace allows: counted as 2'])
    assert.equal(within({ 'mbcas.io/min-cpu': '3', 'mbcas.io/max-cpu': '2' }).wishes.minCpu, 3000)
  })

  void test('a target counts for the strictest that is allowed', () => {
    const { options, cuts } = within(
      { 'mbcas.io/target-latency-ms': '5' },
      { 'mbcas.io/min-target-latency-ms': '50' },
    )
    assert.equal(options.targetLatencyMillis, 50)
    assert.deepEqual(cuts, ['target-latency-ms 5 is below 50: counted as 50'])
  })

  void test('where no coalitions are allowed, none counts', () => {
    const { wishes, cuts } = within(
      { 'mbcas.io/coalition': 'x' },
      { 'mbcas.io/coalitions': 'false' },
    )
    assert.equal(wishes.coalition, undefined)
    assert.deepEqual(cuts, ['coalition x does not count: its namespace allows none'])
  })

  void test("share and floors are the namespace's to tell, by annotation alone", () => {
    const words = { 'mbcas.io/share-factor': '4', 'mbcas.io/max-min-cpu': '2' }
    const none = { shareFactor: undefined, maxMinCpu: undefined }
    assert.deepEqual(within({}, words).bounds, { shareFactor: 4, maxMinCpu: 2000 })
    assert.deepEqual(within(words).bounds, none)
    assert.deepEqual(read({}, {}, { labels: words }).bounds, none)
  })

  void test('what cannot be read is told and does not count', () => {
    const { bounds, problems } = within({}, { 'mbcas.io/share-factor': '1000' })
    assert.equal(bounds.shareFactor, undefined)
    assert.deepEqual(problems, [
      'ignoring mbcas.io/share-factor of namespace shop: expected a number from 0.01 to 100, got "1000"',
    ])
  })
})
