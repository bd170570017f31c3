import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'

const folder = join('dist', 'web')
const files = ['index.html', 'app.js', 'app.css', 'theme.js', 'icon.svg']
const MOST_BYTES = 60 * 1024

void describe('the bundled page', () => {
  void test('is under 60 KB gzip in all', () => {
    const sizes = files.map((name) => gzipSync(readFileSync(join(folder, name))).length)
    const all = sizes.reduce((sum, size) => sum + size, 0)
    assert.ok(
      all < MOST_BYTES,
      `${all} bytes: ${files.map((name, i) => `${name} ${sizes[i]}`).join(', ')}`,
    )
  })

  void test('asks for nothing elsewhere, and has no script or style of its own in the HTML', () => {
    const html = readFileSync(join(folder, 'index.html'), 'utf8')
    assert.doesNotMatch(html, /https?:|<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/)
    assert.doesNotMatch(readFileSync(join(folder, 'app.css'), 'utf8'), /url\(|@import/)
  })
})
