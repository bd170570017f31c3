/** The page for everyone: axe finds nothing in either theme, and a phone shows all without sideways scrolling. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'

import type { Browser } from 'playwright-core'

import { real, skipUnless } from '../real.ts'
import { openPage, startBrowser } from '../web/browser.ts'
import { type Fixture, startFixture } from '../web/fixture-server.ts'
import { createWorld } from '../web/world.ts'

const start = Date.UTC(2026, 10, 16, 12, 0, 0)
const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

const views = [
  { view: 'cluster', address: '/', ready: '.tile' },
  { view: 'node', address: '/node/node-1', ready: '.table-row' },
  { view: 'pod', address: '/pod/shop/gateway-1-0', ready: '.decisions li' },
  { view: 'events', address: '/events', ready: '.happenings li' },
  { view: 'comparison', address: '/comparison', ready: '.measures' },
]

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] }

void describe('the page for everyone', { skip: skipUnless(real.chromium) }, () => {
  let browser: Browser
  let fixture: Fixture
  before(async () => {
    browser = await startBrowser()
    fixture = await startFixture({ world: createWorld(6, 8, start), at: start + 600_000 })
  })
  after(async () => {
    await browser.close()
    await fixture.goAway()
  })

  for (const { view, address, ready } of views) {
    for (const colorScheme of ['light', 'dark'] as const) {
      void test(`axe finds nothing in the ${view} view, ${colorScheme}`, async () => {
        // Its style attributes are what axe looks at: the policy must not forbid it to look.
        const { page } = await openPage(fixture.url, address, {
          browser,
          colorScheme,
          bypassCSP: true,
        })
        await page.locator(ready).first().waitFor()
        await page.addScriptTag({ path: axeFile })
        const { violations } = await page.evaluate<{ readonly violations: readonly Violation[] }>(
          'axe.run()',
        )
        const found = violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`,
        )
        assert.deepEqual(found, [])
        await page.context().close()
      })
    }

    void test(`a phone shows the ${view} view without scrolling sideways`, async () => {
      const viewport = { width: 390, height: 844 }
      const { page, errors } = await openPage(fixture.url, address, { browser, viewport })
      await page.locator(ready).first().waitFor()
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      assert.ok(width <= viewport.width, `${width} px`)
      assert.deepEqual(errors, [])
      await page.context().close()
    })
  }

  void test('the theme can be chosen, and is kept', async () => {
    const { page } = await openPage(fixture.url, '/', { browser, colorScheme: 'light' })
    const background = async (): Promise<string> =>
      page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
    const light = await background()
    const button = page.getByRole('button', { name: /^theme:/ })
    await button.click()
    await button.click()
    assert.notEqual(await background(), light)
    await page.reload()
    await page.getByRole('button', { name: 'theme: dark; change to system' }).waitFor()
    assert.notEqual(await background(), light)
  })
})
