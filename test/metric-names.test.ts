/** Metrics are declared once, in src; rules, dashboards and documents use only those. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

import { each } from './each.ts'
import { root } from './run.ts'

const declaration = /\b(counter|gauge|histogram)\(\s*'(mbcas_\w+)'/g
/** Not part of a longer name, such as that of a recording rule. */
const use = /(?<![\w:])mbcas_\w+(?![\w:])/g

const declarationsIn = (code: string): string[] =>
  [...code.matchAll(declaration)].flatMap(([, kind, name = '']) =>
    kind === 'histogram' ? ['', '_bucket', '_sum', '_count'].map((end) => name + end) : [name],
  )

const unknownIn = (text: string, declared: readonly string[]): string[] =>
  [...text.matchAll(use)].map(([name]) => name).filter((name) => !declared.includes(name))

function textsBelow(folder: string, pattern: RegExp): { path: string; text: string }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => pattern.test(path) && !path.startsWith('node_modules'))
    .map((path) => ({ path, text: readFileSync(join(root, folder, path), 'utf8') }))
}

const declared = textsBelow('src', /(?<!\.test)\.ts$/)
  .filter(({ path }) => path !== join('runtime', 'metrics.ts')) // has one as an example
  .flatMap(({ text }) => declarationsIn(text))

void describe('metric names', () => {
  void test('are declared once', () => {
    assert.ok(declared.length > 20, declared.join())
    assert.deepEqual(
      declared.filter((name, i) => declared.indexOf(name) !== i),
      [],
    )
  })

  void test('in rules, dashboards and documents are declared', () => {
    const used = [
      ...textsBelow('deploy', /\.(ya?ml|json)$/),
      ...textsBelow('docs', /\.md$/),
      ...['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md'].map((path) => ({
        path,
        text: readFileSync(join(root, path), 'utf8'),
      })),
    ]
    assert.deepEqual(
      used.flatMap(({ path, text }) => unknownIn(text, declared).map((name) => `${path}: ${name}`)),
      [],
    )
  })

  each(
    [
      {
        name: 'a name that nobody declares is found',
        text: 'rate(mbcas_b[5m])',
        finds: ['mbcas_b'],
      },
      { name: 'a longer name is another', text: 'mbcas_ab', finds: ['mbcas_ab'] },
      { name: 'the parts of a histogram are declared', text: 'mbcas_h_bucket', finds: [] },
      { name: 'a counter has no parts', text: 'mbcas_a_sum', finds: ['mbcas_a_sum'] },
      { name: 'a recording rule has a name of its own', text: 'pod:mbcas_b:rate5m', finds: [] },
    ],
    ({ text, finds }) => {
      const declared = declarationsIn("counter('mbcas_a', '') histogram(\n  'mbcas_h', '')")
      assert.deepEqual(unknownIn(text, declared), finds)
    },
  )
})
