/** MarketSettings: one for the whole cluster, with defaults. Nothing is kept: cases run side by side. */
import assert from 'node:assert/strict'

import {
  type MarketSettings,
  marketSettings,
  settingsName,
} from '../../src/apis/market-settings.ts'
import { isReason, type Kube } from '../../src/ports/kube.ts'
import type { Case } from './case.ts'

const create = async (kube: Kube, spec: object, name = settingsName): Promise<MarketSettings> =>
  kube.create(marketSettings, { metadata: { name }, spec }, { dryRun: true })

const refusal =
  (words: string) =>
  (error: unknown): boolean =>
    isReason(error, 'Invalid') && error.said.includes(words)

export const marketSettingsCases: readonly Case[] = [
  {
    name: 'what is not said has its default',
    run: async ({ kube }) => {
      const { spec } = await create(kube, {})
      assert.deepEqual(spec, { mode: 'auto', excludedNamespaces: [] })
    },
  },
  {
    name: 'there is one, and its name is cluster',
    run: async ({ kube }) =>
      assert.rejects(
        create(kube, {}, 'mine'),
        refusal('there is one MarketSettings for the whole cluster: name it cluster'),
      ),
  },
  {
    name: 'a mode that is none is refused',
    run: async ({ kube }) =>
      assert.rejects(
        create(kube, { mode: 'on' }),
        refusal('spec.mode: Unsupported value: "on": supported values: "off", "recommend", "auto"'),
      ),
  },
  {
    name: 'a namespace is excluded once',
    run: async ({ kube }) =>
      assert.rejects(
        create(kube, { excludedNamespaces: ['shop', 'shop'] }),
        refusal('spec.excludedNamespaces[1]: Duplicate value: "shop"'),
      ),
  },
]
