import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { root } from '../../test/run.ts'
import { parseDocument } from '../adapters/document.ts'
import { controllerConfigFile, readControllerConfig } from './controller-config.ts'

const read = (keys: Record<string, unknown> = {}) => readControllerConfig(keys, 'controller.yaml')
const keys = Object.keys(controllerConfigFile.entries)

void describe('apis/controller-config', () => {
  void test('the keys of the first design keep their names, units and defaults', () => {
    const { rules, skipsGuaranteed } = read()
    assert.deepEqual(rules, { cooldownMillis: 5000, stepFactor: 2 })
    assert.equal(skipsGuaranteed, true)
    const seed = { resizeCooldown: '5s', maxStepSizeFactor: 10, skipGuaranteed: false }
    assert.deepEqual(read(seed).rules, { cooldownMillis: 5000, stepFactor: 10 })
  })

  void test('the example says every key, with its default', () => {
    const text = readFileSync(join(root, 'examples/controller.yaml'), 'utf8')
    const document = parseDocument(text, 'controller.yaml')
    assert.deepEqual(readControllerConfig(document, 'controller.yaml'), read())
    for (const key of keys) assert.match(text, new RegExp(`^${key}: `, 'm'))
  })

  each(
    keys.map((key) => ({ name: `${key} is named when misspelt`, key })),
    ({ key }) => {
      const misspelt = key.replace(/.$/, '')
      assert.throws(() => read({ [misspelt]: 1 }), {
        message: `controller.yaml: unknown key "${misspelt}"; did you mean "${key}"?`,
      })
    },
  )

  each(
    [
      {
        name: 'a cooldown without its unit',
        keys: { resizeCooldown: 5 },
        says: 'controller.yaml: expected resizeCooldown to be a duration from 0s to 1h, got 5',
      },
      {
        name: 'a factor with which nothing would move',
        keys: { maxStepSizeFactor: 1 },
        says: 'controller.yaml: expected maxStepSizeFactor to be a number from 1.1 to 100, got 1',
      },
    ],
    ({ keys, says }) => assert.throws(() => read(keys), { name: 'InvalidInput', message: says }),
  )

  void test('a mode, which agents must know too, is refused, and the remedy sets it', () => {
    assert.throws(() => read({ mode: 'recommend' }), {
      name: 'InvalidInput',
      message:
        /^controller\.yaml: mode stands in the MarketSettings .*"spec": \{"mode": "recommend"\}/,
    })
  })

  each(
    ['samplingInterval', 'mechanism'].map((key) => ({ name: `${key} is the agent's`, key })),
    ({ key }) => assert.throws(() => read({ [key]: '1s' }), /unknown key/),
  )
})
