import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../../test/each.ts'
import { type ToldSettings, usualSettings } from '../status/told-settings.ts'
import { modeOfPod, type PodMode } from './pod-mode.ts'

type Words = Readonly<Record<string, string>>
type Row = {
  readonly name: string
  readonly pod?: Words
  readonly home?: Words | null
  readonly cluster?: Partial<ToldSettings>
  readonly in?: string
  readonly gives: PodMode
}

const mode = (text: string): Words => ({ 'mbcas.io/mode': text })

void describe('the mode of a pod', () => {
  each<Row>(
    [
      { name: 'is auto where nobody says anything', gives: { mode: 'auto', from: 'the default' } },
      {
        name: 'is what the cluster says',
        cluster: { mode: 'recommend' },
        gives: { mode: 'recommend', from: 'MarketSettings cluster' },
      },
      {
        name: 'is off where the cluster is',
        pod: mode('auto'),
        cluster: { mode: 'off' },
        gives: { mode: 'off', from: 'the cluster is in mode off (MarketSettings cluster)' },
      },
      {
        name: 'is not widened by the pod',
        pod: mode('auto'),
        cluster: { mode: 'recommend' },
        gives: {
          mode: 'recommend',
          from: 'MarketSettings cluster, which mbcas.io/mode (auto) cannot widen',
        },
      },
      {
        name: 'is narrowed by the pod',
        pod: mode('off'),
        cluster: { mode: 'recommend' },
        gives: { mode: 'off', from: 'mbcas.io/mode' },
      },
      {
        name: 'is narrowed by its namespace',
        home: mode('recommend'),
        gives: { mode: 'recommend', from: 'mbcas.io/mode of namespace shop' },
      },
      {
        name: 'is of the first word that can be read',
        pod: mode('on'),
        home: mode('off'),
        gives: { mode: 'off', from: 'mbcas.io/mode of namespace shop' },
      },
      {
        name: 'is off for who opted out',
        pod: { 'mbcas.io/managed': 'false' },
        gives: { mode: 'off', from: 'opted out by mbcas.io/managed' },
      },
      {
        name: 'is off in a namespace that is excluded',
        cluster: { excludedNamespaces: ['shop'] },
        gives: {
          mode: 'off',
          from: 'is in namespace shop, which MarketSettings cluster excludes',
        },
      },
      {
        name: 'is off in a namespace of the system',
        in: 'kube-system',
        gives: { mode: 'off', from: 'is in the system namespace kube-system' },
      },
      {
        name: 'is not known where the settings cannot be read',
        cluster: { mode: 'unknown', note: 'Mode not known: forbidden' },
        gives: { mode: 'unknown', from: 'Mode not known: forbidden' },
      },
      {
        name: 'may be narrowed by a namespace that cannot be read',
        home: null,
        gives: { mode: 'auto', from: 'the default; what its namespace says cannot be read' },
      },
    ],
    ({ pod = {}, home = {}, cluster = {}, in: namespace = 'shop', gives }) => {
      const told = modeOfPod({
        pod: { metadata: { namespace, annotations: pod } },
        namespace: home === null ? undefined : { metadata: { name: 'shop', labels: home } },
        cluster: { ...usualSettings, ...cluster },
      })
      assert.deepEqual(told, gives)
    },
  )
})
