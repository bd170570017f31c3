import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { memoryKube } from '../../../../test/memory-kube.ts'
import { type MarketSettings, marketSettings, settingsName } from '../../../apis/market-settings.ts'
import { ApiError, missingTypeWords } from '../../../ports/kube.ts'
import { readToldSettings, usualSettings } from './told-settings.ts'

const saying = async (spec: object) => {
  const kube = memoryKube()
  const object = { metadata: { name: settingsName }, spec } as MarketSettings
  await kube.create(marketSettings, object)
  return readToldSettings(kube)
}

const failing = async (at: { code: number; reason: string; said: string }) => {
  const before = () => {
    throw new ApiError('list', at)
  }
  return readToldSettings(memoryKube({ before }))
}

void describe('the settings of the cluster, as they are told', () => {
  void test('are the usual ones where there is no object, and no such kind', async () => {
    assert.deepEqual(await readToldSettings(memoryKube()), usualSettings)
    const missing = { code: 404, reason: 'NotFound', said: missingTypeWords }
    assert.deepEqual(await failing(missing), usualSettings)
    assert.deepEqual(usualSettings, { mode: 'auto', excludedNamespaces: [], note: null })
  })

  void test('have a note where the mode is not auto', async () => {
    const { note, ...told } = await saying({ mode: 'off', excludedNamespaces: ['b', 'a'] })
    assert.deepEqual(told, { mode: 'off', excludedNamespaces: ['a', 'b'] })
    assert.match(note ?? '', /^Mode off \(MarketSettings cluster\): no pod is managed/)
    assert.match((await saying({ mode: 'recommend' })).note ?? '', /^Mode recommend/)
    assert.equal((await saying({ mode: 'auto' })).note, null)
  })

  void test('are unknown where they cannot be read, and say why', async () => {
    const strange = await saying({ mode: 'sometimes' })
    assert.deepEqual([strange.mode, /got "sometimes"/.test(strange.note ?? '')], ['unknown', true])
    const refused = await failing({ code: 403, reason: 'Forbidden', said: 'you may not list them' })
    assert.deepEqual(
      [refused.mode, /you may not list them/.test(refused.note ?? '')],
      ['unknown', true],
    )
  })
})
