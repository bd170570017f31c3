import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { furnishedApi, startsAt } from '../../test/sim/kubelets.ts'
import type { ApiObject } from './apiserver/object.ts'
import { createAgenda } from './create-agenda.ts'
import { createRecorder } from './record-event.ts'
import { configMaps, events } from './resources.ts'

function start() {
  const agenda = createAgenda({ speed: 'max', startsAt })
  const api = furnishedApi(agenda)
  const metadata = { namespace: 'default', name: 'c' }
  const about = api.create(configMaps, { metadata }, { manager: 'test' })
  const recorderOf = (component: string) => createRecorder({ api, agenda, component })
  const stored = () =>
    api.list(events) as readonly (ApiObject & { reason: string; count: number })[]
  return { about, recorderOf, stored }
}

void describe('sim/record-event', () => {
  void test('events of several components at one moment have names of their own', () => {
    const { about, recorderOf, stored } = start()
    for (const component of ['a', 'b', 'c']) {
      recorderOf(component)({ about, reason: `Seen-${component}`, message: '' })
    }
    assert.deepEqual(
      stored().map(({ reason }) => reason),
      ['Seen-a', 'Seen-b', 'Seen-c'],
    )
    for (const { metadata } of stored()) assert.match(metadata.name, /^c\.[0-9a-f]{16}$/)
  })

  void test('an event that repeats is counted', () => {
    const { about, recorderOf, stored } = start()
    const record = recorderOf('a')
    for (let i = 0; i < 3; i += 1) record({ about, reason: 'Seen', message: 'again' })
    assert.deepEqual(
      stored().map(({ count }) => count),
      [3],
    )
  })
})
