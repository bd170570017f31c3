import assert from 'node:assert/strict'
import { test } from 'node:test'

import { escapeHtml } from './escape-html.ts'

void test('nothing in a text is markup, and nothing ends the quotes that it stands in', () => {
  assert.equal(escapeHtml(`a<b>&"c'`), 'a&lt;b&gt;&amp;&quot;c&#39;')
})
