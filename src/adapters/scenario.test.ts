import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { InvalidInput } from '../core/errors.ts'
import { blaming, openScenario } from './scenario.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-scenario-'))
const path = join(folder, 'my.yaml')

void describe('adapters/scenario', () => {
  after(() => rmSync(folder, { recursive: true }))

  void test('a scenario without a name has that of its file', async () => {
    writeFileSync(path, 'duration: 1m')
    assert.equal((await openScenario(path)).name, 'my')
  })

  each(
    [
      {
        name: 'no scenario at all is told of the file',
        text: '- 1',
        says: `${path}: expected a scenario, got a list`,
      },
      {
        name: 'every fault is told of the file, wherever it is',
        text: 'duratoin: 1m\nnodes: [{ cpus: none }]',
        says: `${path}: node 1: expected cpus to be a whole number from 1 to 1024, got "none"\n${path}: unknown key "duratoin"; did you mean "duration"?`,
      },
      {
        name: 'so are parts that do not fit together',
        text: 'duration: 1m\nwarmUp: 2m',
        says: `${path}: expected warmUp to be shorter than duration`,
      },
      {
        name: 'and text that is no document',
        text: 'a: [',
        says: new RegExp(`^reading ${path}: `),
      },
    ],
    async ({ text, says }) => {
      writeFileSync(path, text)
      await assert.rejects(openScenario(path), { name: 'InvalidInput', message: says })
    },
  )

  void test('what is refused only when it is played is told of the file as well', async () => {
    const play = () => {
      throw new InvalidInput('scenario: step 2: configmaps "gone" not found')
    }
    const said = { message: 'my.yaml: step 2: configmaps "gone" not found' }
    await assert.rejects(blaming('my.yaml', play), said)
  })

  void test('what comes beside the examples is no example', async () => {
    const said = {
      message: /expected a file, or the name of an example, got zzzzzz; known are [a-z, -]+$/,
    }
    await assert.rejects(openScenario('zzzzzz'), said)
  })

  void test('a name with a typing error is answered with the example that was meant', async () => {
    const said = { message: /^reading a scenario: .* got evalution; did you mean evaluation\?$/ }
    await assert.rejects(openScenario('evalution'), said)
  })
})
