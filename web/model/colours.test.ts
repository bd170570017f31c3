import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../test/each.ts'
import { blend, colourIndexes, contrast } from './colours.ts'

const names = fc.uniqueArray(fc.string(), { maxLength: 60 })

void describe('a colour a pod', () => {
  void test('no two are alike, and a shade begins when all hues are taken in the last', () => {
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 24 }), (keys, hues) => {
        const indexes = [...colourIndexes(keys, hues).values()]
        assert.equal(new Set(indexes).size, keys.length)
        assert.ok(
          indexes.every((index) => Math.floor(index / hues) < Math.ceil(keys.length / hues)),
        )
      }),
    )
  })

  each(
    [
      { name: 'one name', keys: ['a'], hues: 7, is: [5] },
      { name: 'more names do not move it', keys: ['a', 'b', 'c'], hues: 7, is: [5, 6, 1] },
      { name: 'a second shade', keys: ['a', 'b', 'c'], hues: 2, is: [0, 1, 2] },
    ],
    ({ keys, hues, is }) => assert.deepEqual([...colourIndexes(keys, hues).values()], is),
  )

  void test('the order in which the pods are told does not matter', () => {
    fc.assert(
      fc.property(names, (keys) =>
        assert.deepEqual(colourIndexes(keys.toReversed(), 7), colourIndexes(keys, 7)),
      ),
    )
  })
})

void describe('colours', () => {
  each(
    [
      { name: 'none of the way is the first', ratio: 0, is: '#000000' },
      { name: 'all of the way is the other', ratio: 1, is: '#ff8040' },
      { name: 'half of the way is between', ratio: 0.5, is: '#804020' },
    ],
    ({ ratio, is }) => assert.equal(blend('#000000', '#ff8040', ratio), is),
  )

  void test('black on white is the greatest contrast', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21)
  })
})

void describe('the design tokens', () => {
  const css = readFileSync('web/styles/tokens.css', 'utf8')
  const themes = ['light', 'dark'] as const
  const text = ['text', 'muted', 'link', 'uncongested', 'congested', 'overloaded', 'unknown']
  const behind = [
    'page',
    'raised',
    'fill-uncongested',
    'fill-congested',
    'fill-overloaded',
    'fill-unknown',
  ]

  /** `--name: light-dark(#light, #dark)`. */
  function token(name: string, theme: (typeof themes)[number]): string {
    const found = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css)
    const colour = found?.[theme === 'light' ? 1 : 2]
    if (colour === undefined) throw new Error(`reading tokens.css: expected a colour --${name}`)
    return colour
  }

  each(
    themes.flatMap((theme) =>
      ['page', 'raised'].flatMap((ground) =>
        text.map((name) => ({
          name: `${name} can be read on ${ground}, ${theme}`,
          ground,
          ink: name,
          theme,
        })),
      ),
    ),
    ({ ground, ink, theme }) => assert.ok(contrast(token(ink, theme), token(ground, theme)) >= 4.5),
  )

  each(
    themes.flatMap((theme) =>
      behind.map((ground) => ({
        name: `text and what is muted can be read on ${ground}, ${theme}`,
        ground,
        theme,
      })),
    ),
    ({ ground, theme }) => {
      for (const ink of ['text', 'muted']) {
        assert.ok(contrast(token(ink, theme), token(ground, theme)) >= 4.5, ink)
      }
    },
  )
})
