/** A thousand nodes with ten thousand pods stay usable. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import type { Browser } from 'playwright-core'

import { real, skipUnless } from '../real.ts'
import { until } from '../until.ts'
import { openPage, startBrowser } from '../web/browser.ts'
import { type Fixture, startFixture } from '../web/fixture-server.ts'
import { createWorld } from '../web/world.ts'

const start = Date.UTC(2026, 10, 16, 12, 0, 0)

void describe('a thousand nodes', { skip: skipUnless(real.chromium) }, () => {
  let browser: Browser
  let fixture: Fixture
  before(async () => {
    browser = await startBrowser()
    fixture = await startFixture({ world: createWorld(1000, 10, start), at: start + 60_000 })
  })
  after(async () => {
    await browser.close()
    await fixture.goAway()
  })

  void test('only the tiles on the screen are drawn, wherever it is scrolled to', async () => {
    const { page, errors } = await openPage(fixture.url, '/', { browser })
    const tiles = page.locator('.tile')
    await tiles.first().waitFor()
    assert.ok((await tiles.count()) < 250, `${await tiles.count()} tiles`)
    const first = await tiles.first().textContent()
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await until('the last tile is drawn', async () => {
      const place = page.locator('.tiles li').last()
      return (await place.getAttribute('aria-posinset')) === '1000'
    })
    assert.notEqual(await tiles.first().textContent(), first)
    assert.deepEqual(errors, [])
  })

  void test('a patch of all nodes is drawn', async () => {
    const { page } = await openPage(fixture.url, '/', { browser })
    await page.locator('.tile').first().waitFor()
    await page.evaluate(`
      globalThis.longest = 0
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
      }).observe({ entryTypes: ['longtask'] })
    `)
    const figure = page.locator('.figure', { hasText: 'Used' }).locator('dd')
    for (let i = 0; i < 5; i += 1) {
      const was = await figure.textContent()
      fixture.tick()
      await until('the patch is drawn', async () => (await figure.textContent()) !== was)
    }
    const longest = await page.evaluate<number>('longest')
    console.log(`  a patch of all nodes: ${Math.round(longest)} ms at most in one task`)
  })

  void test('one of ten thousand pods is found and opened', async () => {
    const { page } = await openPage(fixture.url, '/', { browser })
    await page.locator('.tile').first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('search-777')
    await page.getByRole('option', { name: /search-777-0/ }).click()
    const title = page.getByRole('heading', { level: 1 })
    await until('it is open', async () => (await title.textContent()) === 'shop/search-777-0')
  })

  void test('the nodes of one mode are shown alone', async () => {
    const { page } = await openPage(fixture.url, '/', { browser })
    await page.getByRole('button', { name: /^uncongested/ }).click()
    await until('only those are shown', async () => {
      const words = new Set(await page.locator('.tile .mode').allTextContents())
      return words.size === 1
    })
    assert.match(page.url(), /only=uncongested/)
  })
})
