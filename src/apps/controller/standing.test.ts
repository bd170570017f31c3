import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { defaultSettings } from '../../apis/market-settings.ts'
import type { ObjectMeta } from '../../apis/object.ts'
import { standingOf } from './standing.ts'

const rules = { settings: defaultSettings, skipsGuaranteed: true }
const optedOut = { 'mbcas.io/managed': 'false' }
const off = { 'mbcas.io/mode': 'off' }
const auto = { 'mbcas.io/mode': 'auto' }
const recommend = { 'mbcas.io/mode': 'recommend' }

type Row = {
  readonly name: string
  readonly pod?: ObjectMeta
  readonly home?: ObjectMeta
  readonly cluster?: 'off' | 'recommend' | 'auto'
  readonly without?: string
  readonly gives: Partial<ReturnType<typeof standingOf>>
}

const rows: readonly Row[] = [
  {
    name: 'nobody says anything',
    gives: { excluded: undefined, mode: 'auto', managesGuaranteed: false },
  },
  {
    name: 'a pod opts out by an annotation',
    pod: { annotations: optedOut },
    gives: { excluded: 'opted out by mbcas.io/managed' },
  },
  {
    name: 'a pod opts out by a label, whatever its mode',
    pod: { labels: optedOut, annotations: auto },
    gives: { excluded: 'opted out by mbcas.io/managed' },
  },
  {
    name: 'a namespace opts out, whatever its mode',
    home: { labels: optedOut, annotations: auto },
    gives: { excluded: 'opted out by mbcas.io/managed' },
  },
  {
    name: 'a pod stays in a namespace that opts out',
    pod: { annotations: { 'mbcas.io/managed': 'true' } },
    home: { labels: optedOut },
    gives: { excluded: undefined },
  },
  {
    name: 'a pod is turned off',
    pod: { annotations: off },
    gives: { excluded: 'is turned off by mbcas.io/mode' },
  },
  {
    name: 'a pod wins over its namespace',
    pod: { labels: auto },
    home: { annotations: off },
    gives: { excluded: undefined, mode: 'auto' },
  },
  {
    name: 'an annotation wins over a label',
    pod: { annotations: recommend, labels: off },
    gives: { excluded: undefined, mode: 'recommend' },
  },
  {
    name: 'a namespace narrows what the cluster allows',
    home: { labels: recommend },
    gives: { excluded: undefined, mode: 'recommend' },
  },
  {
    name: 'neither pod nor namespace widens what the cluster allows',
    pod: { annotations: auto },
    home: { labels: auto },
    cluster: 'recommend',
    gives: { excluded: undefined, mode: 'recommend' },
  },
  {
    name: 'the cluster is off, whatever its pods say',
    pod: { annotations: auto },
    cluster: 'off',
    gives: { excluded: 'the cluster is in mode off (MarketSettings cluster)' },
  },
  {
    name: 'the cluster excludes a namespace, whatever its pods say',
    pod: { annotations: auto },
    without: 'shop',
    gives: { excluded: 'is in namespace shop, which MarketSettings cluster excludes' },
  },
  {
    name: 'a word that nobody knows does not count',
    pod: { annotations: { 'mbcas.io/mode': 'on' } },
    home: { annotations: recommend },
    gives: { mode: 'recommend' },
  },
  {
    name: 'a Guaranteed pod opts in',
    pod: { annotations: { 'mbcas.io/guaranteed': 'manage' } },
    gives: { managesGuaranteed: true },
  },
]

void describe('apps/controller: who takes part', () => {
  each(rows, ({ pod = {}, home = {}, cluster: mode = 'auto', without = '', gives }) => {
    const seen = { metadata: pod, namespace: 'shop', isMirror: false }
    const settings = { mode, excludedNamespaces: new Set([without]) }
    const standing = standingOf(seen, { metadata: home }, { ...rules, settings })
    assert.deepEqual({ ...standing, ...gives }, standing)
  })

  each(
    [
      {
        name: 'a pod of the system is left alone',
        pod: { metadata: {}, namespace: 'kube-system', isMirror: false },
        excluded: 'is in the system namespace kube-system',
      },
      {
        name: 'a static pod is left alone',
        pod: { metadata: {}, namespace: 'shop', isMirror: true },
        excluded: 'is a static pod, which cannot be resized',
      },
    ],
    ({ pod, excluded }) => assert.equal(standingOf(pod, undefined, rules).excluded, excluded),
  )
})
