import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../each.ts'
import { batchRequest, judgedSpans, type Scene, scenes } from './scene.ts'

const named = (name: string): Scene => {
  const scene = scenes.find((one) => one.name === name)
  if (scene === undefined) throw new Error(`expected a scene named ${name}`)
  return scene
}

void describe('the scenes of the programs bench', () => {
  each(
    [
      {
        name: 'all after the warm-up is judged',
        scene: 'postgres-bursts',
        lengths: { warmSeconds: 3, seconds: 16 },
        spans: [[3, 19]],
      },
      {
        name: 'of a late hog the seconds from its starts, with every second burst',
        scene: 'late-hog',
        lengths: { warmSeconds: 3, seconds: 16 },
        spans: [
          [4.5, 7.9],
          [12.5, 15.9],
        ],
      },
      {
        name: 'of a late hog in a short run what is left of it',
        scene: 'late-hog',
        lengths: { warmSeconds: 1, seconds: 4 },
        spans: [[4.5, 5]],
      },
    ],
    ({ scene, lengths, spans }) => {
      const found = judgedSpans(named(scene), lengths)
      assert.deepEqual(
        found.map(({ fromSecond, toSecond }) => [fromSecond, toSecond]),
        spans,
      )
    },
  )

  void test('requests fill the machine, less what is kept for the rest of it', () => {
    assert.equal(batchRequest(named('postgres-steady'), 2), 900)
    assert.equal(batchRequest(named('two-services'), 2), 500)
    assert.equal(batchRequest(named('two-services'), 8), 6500)
  })
})
