/** A token given in a real browser: what it sends along with a form, only a browser decides. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import type { Browser } from 'playwright-core'

import { openStage, type Stage } from '../dashboard/stage.ts'
import { real, skipUnless } from '../real.ts'
import { openPage, startBrowser } from '../web/browser.ts'

void describe('logging in', { skip: skipUnless(real.chromium) }, () => {
  const token = 'correct-horse-battery'
  let browser: Browser
  let stage: Stage
  before(async () => {
    browser = await startBrowser()
    stage = await openStage({ nodes: 1, access: { by: 'token', token } })
  })
  after(async () => {
    await browser.close()
    await stage.close()
  })

  void test('a link leads where it points, though the token was asked for, and mistyped', async () => {
    const url = `http://127.0.0.1:${stage.port}/`
    const address = '/node/node-0?range=15m'
    const { page } = await openPage(url, address, { browser })
    const give = async (words: string): Promise<void> => {
      await page.getByLabel('Token').fill(words)
      await page.getByRole('button', { name: 'Look' }).click()
    }
    await give('wrong')
    await page.getByText('That is not the token.').waitFor()
    await give(token)
    await page.getByRole('heading', { name: 'node-0' }).waitFor()
    assert.equal(page.url(), `${url}#${address}`)
  })
})
