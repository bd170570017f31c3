/** What the page says while there is nothing to show, and when something is wrong. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import type { Browser } from 'playwright-core'

import { real, skipUnless } from '../real.ts'
import { until } from '../until.ts'
import { openPage, startBrowser } from '../web/browser.ts'
import { startFixture } from '../web/fixture-server.ts'
import { createWorld } from '../web/world.ts'

const start = Date.UTC(2026, 10, 16, 12, 0, 0)
const at = start + 300_000

void describe('the states of the page', { skip: skipUnless(real.chromium) }, () => {
  let browser: Browser
  before(async () => void (browser = await startBrowser()))
  after(async () => browser.close())

  void test('paints before it has any data', async () => {
    const fixture = await startFixture({ world: createWorld(1, 2, start), at })
    fixture.refuse({ status: 503, error: 'still reading the cluster' })
    const { page } = await openPage(fixture.url, '/', { browser })
    await page.locator('.skeleton').waitFor()
    const times: number[] = []
    for (let i = 0; i < 5; i += 1) {
      await page.reload()
      await page.locator('.skeleton').waitFor()
      times.push(
        await page.evaluate<number>(
          `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity`,
        ),
      )
    }
    assert.ok(times.every(Number.isFinite), 'painted while the server knows nothing yet')
    console.log(`  first paint without data: ${times.map(Math.round).join(', ')} ms; aim 100 ms`)
    fixture.refuse()
    await page.getByRole('link', { name: /^node-1 \w/ }).waitFor()
    await fixture.goAway()
  })

  void test('without nodes it says what to do next', async () => {
    const fixture = await startFixture({ world: createWorld(0, 0, start), at })
    const { page } = await openPage(fixture.url, '/', { browser })
    await page.getByText('No nodes are known yet.').waitFor()
    await page.getByText('mbcas agent').waitFor()
    await fixture.goAway()
  })

  void test('what the server could not learn is told', async () => {
    const troubles = ['agents do not answer: open port 8089 to the dashboard']
    const fixture = await startFixture({ world: createWorld(1, 2, start), at, troubles })
    const { page } = await openPage(fixture.url, '/', { browser })
    await page.getByRole('status').getByText('open port 8089').waitFor()
    await fixture.goAway()
  })

  void test('a mode of the cluster that is not the usual one is in the head of every view', async () => {
    const note = 'Mode recommend (MarketSettings cluster): no pod is resized, no weight set'
    const settings = { mode: 'recommend' as const, excludedNamespaces: [], note }
    const fixture = await startFixture({ world: createWorld(1, 2, start), at, settings })
    for (const view of ['/', '/node/node-1', '/events']) {
      const { page } = await openPage(fixture.url, view, { browser })
      await page.getByRole('status').getByText(note).waitFor()
    }
    await fixture.goAway()
  })

  void test('a server that goes away is told with the time, and taken up again when it is back', async () => {
    const fixture = await startFixture({ world: createWorld(2, 4, start), at })
    const { page } = await openPage(fixture.url, '/', { browser })
    await page.getByRole('link', { name: /^node-1 \w/ }).waitFor()
    await fixture.goAway()
    const lost = page.getByText(/Disconnected since \d\d:\d\d:\d\d/)
    await lost.waitFor()
    assert.ok(await page.getByRole('link', { name: /^node-1 \w/ }).isVisible(), 'the last is shown')
    await fixture.comeBack()
    await lost.waitFor({ state: 'detached' })
    const figure = page.locator('.figure', { hasText: 'Used' }).locator('dd')
    const was = await figure.textContent()
    for (let i = 0; i < 5; i += 1) fixture.tick()
    await until('it goes on', async () => (await figure.textContent()) !== was)
    await fixture.goAway()
  })

  void test('a pod that is not there is told with what to do', async () => {
    const fixture = await startFixture({ world: createWorld(1, 2, start), at })
    const { page } = await openPage(fixture.url, '/pod/shop/nobody', { browser })
    const alert = page.getByRole('alert')
    await alert.getByText('Cannot show shop/nobody').waitFor()
    await alert.getByText('there is no pod/shop/nobody').waitFor()
    await alert.getByText('It may be gone by now.').waitFor()
    await fixture.goAway()
  })

  void test('who may not look is told the remedy', async () => {
    const fixture = await startFixture({ world: createWorld(1, 2, start), at })
    fixture.refuse({ status: 401, error: 'a token is needed' })
    const { page } = await openPage(fixture.url, '/', { browser })
    await page.getByRole('alert').getByText('a token is needed').waitFor()
    await fixture.goAway()
  })

  void test('without a scenario there is no comparison, and the page says who makes one', async () => {
    const world = createWorld(1, 2, start)
    const fixture = await startFixture({ world, at, hasScenario: false })
    const { page } = await openPage(fixture.url, '/comparison', { browser })
    await page.getByText('Nothing is compared here.').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Comparison' }).count(), 0)
    await fixture.goAway()
  })
})
