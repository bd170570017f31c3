import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { openCpuManager } from './cpu-manager.ts'
import { parseCpuManager } from './parse-cpu-manager.ts'

const none = '{"policyName":"none","defaultCpuSet":"","checksum":1353318690}'
const assigned = (entries: object) =>
  JSON.stringify({ policyName: 'static', defaultCpuSet: '0-1', entries, checksum: 7 })

void describe("the checkpoint of a kubelet's CPU manager", () => {
  each(
    [
      { name: 'without a policy nobody has CPUs of its own', text: none, policy: 'none', cpus: [] },
      {
        name: 'under the static one, those that got some',
        text: assigned({ u1: { app: '2-3,5', log: '7' }, u2: { app: '' } }),
        policy: 'static',
        cpus: [
          ['u1', 'app', 3],
          ['u1', 'log', 1],
          ['u2', 'app', 0],
        ],
      },
    ],
    ({ text, policy, cpus }) => {
      const state = parseCpuManager(text)
      assert.equal(state.policy, policy)
      const counts = [...state.exclusiveCpus].flatMap(([uid, containers]) =>
        [...containers].map(([name, count]) => [uid, name, count]),
      )
      assert.deepEqual(counts, cpus)
    },
  )

  each(
    [
      { name: 'half a file', text: none.slice(0, 20), says: /JSON/ },
      {
        name: 'no object',
        text: '[]',
        says: /^parsing the checkpoint: expected an object, got \[\]/,
      },
      {
        name: 'no policy',
        text: '{}',
        says: /^parsing policyName: expected a text, got undefined/,
      },
      {
        name: 'the first format, which has no pods',
        text: assigned({ c1: '2-3' }),
        says: /^parsing entries of pod c1: expected an object, got "2-3"/,
      },
      {
        name: 'no list',
        text: assigned({ u1: { app: '3-2' } }),
        says: /^parsing CPUs of container app: expected a list such as 2-3,5, got "3-2"/,
      },
      { name: 'half a list', text: assigned({ u1: { app: '2,' } }), says: /got "2,"/ },
    ],
    ({ text, says }) => assert.throws(() => parseCpuManager(text), { message: says }),
  )

  const folder = mkdtempSync(join(tmpdir(), 'mbcas-cpu-manager-'))
  after(() => rmSync(folder, { recursive: true }))

  void test('is read anew when the kubelet replaced it, and told once when it cannot be', () => {
    const path = join(folder, 'cpu_manager_state')
    const told: unknown[] = []
    const read = openCpuManager(path, (level, message, fields) =>
      told.push([level, message, fields?.['path']]),
    )
    const replace = (text: string) => {
      writeFileSync(`${path}.new`, text)
      renameSync(`${path}.new`, path)
    }
    assert.equal(read(), undefined)

    replace(assigned({ u1: { app: '2-3' } }))
    const first = read()
    assert.equal(first?.exclusiveCpus.get('u1')?.get('app'), 2)
    assert.equal(read(), first, 'a file that stays the same is not parsed again')
    assert.deepEqual(told, [])

    replace('{')
    assert.deepEqual([read(), read()], [first, first])
    assert.deepEqual(told, [['warn', 'state of the cpu manager not read', path]])

    replace(none)
    assert.equal(read()?.policy, 'none')
    rmSync(path)
    assert.equal(read(), undefined)
    assert.equal(told.length, 1)
  })
})
