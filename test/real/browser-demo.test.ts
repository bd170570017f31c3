/** The page on the demo itself: what a person sees who typed `npm start`. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import type { Browser } from 'playwright-core'

import { real, skipUnless } from '../real.ts'
import { type Speaking, startSpeaking } from '../speaking.ts'
import { until } from '../until.ts'
import { openPage, startBrowser } from '../web/browser.ts'

void describe('the page on the demo', { skip: skipUnless(real.chromium) }, () => {
  let browser: Browser
  let demo: Speaking & { readonly caught: string }
  before(async () => {
    browser = await startBrowser()
    const args = ['demo', '--no-browser', '--port', '0', '--speed', '20']
    demo = await startSpeaking(args, /^Watch it: +(http:\S+)$/)
  })
  after(async () => {
    await browser.close()
    await demo.stop()
  })

  void test('goes from the cluster to the reasons of a pod, live', async () => {
    const { page, errors, elsewhere } = await openPage(demo.caught, '/', { browser })
    const used = page.locator('.figure', { hasText: 'Used' }).locator('dd')
    await used.waitFor()
    const was = await used.textContent()
    await until('the figures change', async () => (await used.textContent()) !== was)
    await page
      .getByRole('link', { name: /^node-/ })
      .first()
      .click()
    const rows = page.locator('.table-row')
    await rows.first().waitFor()
    await page
      .getByRole('link', { name: /gateway/ })
      .first()
      .click()
    await page.getByText('It bid for').waitFor()
    await page.locator('.decisions li').first().waitFor()
    const sentence = await page.locator('.decisions li').first().textContent()
    assert.match(sentence ?? '', /request \d+m.*limit/)
    assert.deepEqual([errors, elsewhere], [[], []])
  })
})
