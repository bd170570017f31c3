/** kubectl and Helm read YAML 1.1, in which a plain `off`, `no` or `1_000` is no string. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'

import { parseAllDocuments } from 'yaml'

import { each } from './each.ts'

const files = readdirSync('deploy', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))

const read = (text: string, version: '1.1' | '1.2'): unknown[] =>
  parseAllDocuments(text, { version }).map((document) => document.toJS() as unknown)

void describe('YAML for others means the same to kubectl as to us', () => {
  each(
    files.map((name) => ({ name })),
    ({ name }) => {
      const text = readFileSync(name, 'utf8')
      assert.deepEqual(read(text, '1.1'), read(text, '1.2'))
    },
  )
})
