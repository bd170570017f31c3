import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import { httpRequest } from '../../test/http-request.ts'
import { loadAssets } from './http-assets.ts'

const script = 'console.log(1)\n'.repeat(200)

function scene(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-assets-'))
  context.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'below'))
  writeFileSync(join(folder, 'below', 'b.js'), script)
  writeFileSync(
    join(folder, 'index.html'),
    '<script src="app.js"></script><a href="#/x"></a><a href="gone.js"></a>',
  )
  writeFileSync(join(folder, 'app.js'), script)
  writeFileSync(join(folder, 'a.woff2'), 'font'.repeat(1000))
  const assets = loadAssets(pathToFileURL(`${folder}/`))
  return (address: string, headers = {}) => {
    const [path = '', query = ''] = address.split('?')
    return assets.find(httpRequest({ path, query: new URLSearchParams(query), headers }))
  }
}

void describe('the files of a page', () => {
  void test('the page names its parts by their content, and those are kept for ever', (context) => {
    const find = scene(context)
    const page = find('/index.html')
    assert.deepEqual(
      [page?.type, page?.headers?.['cache-control']],
      ['text/html; charset=utf-8', 'no-cache'],
    )
    const html = String(page?.body)
    const [, name = ''] = /src="(app\.js\?v=[\w-]{16})"/.exec(html) ?? []
    assert.match(html, /href="#\/x".*href="gone\.js"/)
    const cacheOf = (path: string) => find(path)?.headers?.['cache-control']
    assert.equal(cacheOf(`/${name}`), 'public, max-age=31536000, immutable')
    assert.equal(cacheOf('/app.js?v=old'), 'no-cache', 'what was asked for is not what is sent')
    assert.equal(cacheOf('/app.js'), 'no-cache')
  })

  void test('what a browser has already is not sent again', (context) => {
    const find = scene(context)
    const tag = find('/index.html')?.headers?.['etag'] ?? ''
    const again = find('/index.html', { 'if-none-match': tag })
    assert.deepEqual([again?.status, again?.body], [304, ''])
    assert.equal(find('/index.html', { 'if-none-match': '"other"' })?.status, undefined)
  })

  void test('text is sent short to those who can read it', (context) => {
    const find = scene(context)
    const sent = (accepted: string) => {
      const reply = find('/app.js', { 'accept-encoding': accepted })
      return { as: reply?.headers?.['content-encoding'], body: reply?.body as Buffer }
    }
    const [br, gzip, plain] = ['gzip, br', 'gzip', ''].map(sent)
    assert.ok(br && gzip && plain)
    assert.deepEqual([br.as, gzip.as, plain.as], ['br', 'gzip', undefined])
    assert.equal(brotliDecompressSync(br.body).toString(), script)
    assert.equal(gunzipSync(gzip.body).toString(), script)
    assert.equal(plain.body.toString(), script)
    assert.ok(br.body.length < script.length / 10)
    const font = find('/a.woff2', { 'accept-encoding': 'br' })
    assert.equal(font?.headers?.['content-encoding'], undefined, 'is short already')
  })

  void test('nothing outside of the folder or below it is found, and no folder has nothing', (context) => {
    const find = scene(context)
    for (const path of [
      '/../package.json',
      '/below',
      '/below/b.js',
      '/missing.js',
      '/index.html/',
      '',
    ]) {
      assert.equal(find(path), undefined, path)
    }
    const none = loadAssets(pathToFileURL('/nowhere/at/all/'))
    assert.equal(none.find(httpRequest({ path: '/index.html' })), undefined)
  })
})
