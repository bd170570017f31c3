/** The page in a real browser: from the cluster to a pod and back, live, by link and by key. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'

import type { Browser } from 'playwright-core'

import { real, skipUnless } from '../real.ts'
import { until } from '../until.ts'
import { openPage, type Opened, startBrowser } from '../web/browser.ts'
import { type Fixture, startFixture } from '../web/fixture-server.ts'
import { createWorld } from '../web/world.ts'

const start = Date.UTC(2026, 10, 16, 12, 0, 0)

void describe('the page in a browser', { skip: skipUnless(real.chromium) }, () => {
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
  let opened: Opened | undefined
  const open = async (address: string): Promise<Opened> => {
    opened = await openPage(fixture.url, address, { browser })
    return opened
  }
  afterEach(async () => opened?.page.context().close())

  void test('leads from the cluster to a node, to a pod, and back', async () => {
    const { page, errors, elsewhere } = await open('/')
    const title = page.getByRole('heading', { level: 1 })
    await page.getByRole('link', { name: /^node-1 \w/ }).click()
    await until('the node is shown', async () => (await title.textContent()) === 'node-1')
    await page.getByRole('link', { name: 'shop/gateway-1-0' }).first().click()
    await until('the pod is shown', async () => (await title.textContent()) === 'shop/gateway-1-0')
    assert.match(page.url(), /#\/pod\/shop\/gateway-1-0$/)
    await page.getByText('It bid for').waitFor()
    await page.goBack()
    await until('the node is back', async () => (await title.textContent()) === 'node-1')
    await page.goBack()
    await until('the cluster is back', async () => (await title.textContent()) === 'demo')
    assert.deepEqual([errors, elsewhere], [[], []])
  })

  void test('shows what changes while it is watched, in place', async () => {
    const { page, errors } = await open('/node/node-2')
    const used = page.getByRole('table', { name: 'pods on node-2' }).locator('.cell-used')
    await used.first().waitFor()
    const was = await used.allTextContents()
    await page.evaluate(`document.querySelector('.cell-used').isMarked = true`)
    for (let i = 0; i < 20; i += 1) fixture.tick()
    await until('figures change', async () => (await used.allTextContents()).join() !== was.join())
    assert.equal(await page.evaluate(`document.querySelector('.cell-used').isMarked`), true)
    assert.deepEqual(errors, [])
  })

  void test('a link to a stretch of time shows that, and stands still', async () => {
    const [from, to] = [start + 300_000, start + 420_000]
    const { page } = await open(`/pod/shop/gateway-1-0?from=${from}&to=${to}&at=${start + 360_000}`)
    await page.getByRole('button', { name: 'Live' }).waitFor()
    const chart = page.getByRole('img', { name: /^CPU, 2 min until/ })
    await chart.waitFor()
    assert.ok(fixture.asked.includes('/api/pod/shop/gateway-1-0'))
    assert.ok(!fixture.asked.includes('/api/live/pod/shop/gateway-1-0?from'))
    await page.getByRole('button', { name: 'Live' }).click()
    await page.getByRole('img', { name: /^CPU, 15 min until/ }).waitFor()
    assert.match(page.url(), /#\/pod\/shop\/gateway-1-0$/)
  })

  void test('a decision leads to its moment in the charts', async () => {
    const { page } = await open('/pod/shop/gateway-1-0')
    await page.getByTitle('Show this moment in the charts').nth(2).click()
    await page.getByRole('img', { name: /^CPU, 5 min until/ }).waitFor()
    assert.match(page.url(), /from=\d+&to=\d+&at=\d+/)
    assert.equal(await page.locator('.decisions [aria-current=true]').count(), 1)
  })

  void test('dragging in a chart zooms all charts, and a double click leads back', async () => {
    const { page } = await open('/node/node-1')
    const box = await page.getByRole('img', { name: /^Given to pods/ }).boundingBox()
    assert.ok(box)
    const y = box.y + box.height / 2
    await page.mouse.move(box.x + box.width * 0.5, y)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.7, y, { steps: 4 })
    await page.mouse.up()
    await page.getByRole('img', { name: /^Given to pods, 3 min until/ }).waitFor()
    await page.getByRole('img', { name: /^Price and mode, 3 min until/ }).waitFor()
    assert.match(page.url(), /from=\d+&to=\d+/)
    await page.mouse.dblclick(box.x + box.width * 0.6, y)
    await page.getByRole('img', { name: /^Given to pods, 15 min until/ }).waitFor()
    assert.doesNotMatch(page.url(), /from=/)
  })

  void test('one cursor goes through all charts of a view', async () => {
    const { page } = await open('/node/node-1')
    const box = await page.getByRole('img', { name: /^Given to pods/ }).boundingBox()
    assert.ok(box)
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    const times = page.locator('.readout > .muted')
    await until('both tell the same time', async () => {
      const [upper, lower] = await times.allTextContents()
      return upper !== undefined && upper !== '' && upper === lower
    })
    const [left = 0, other = 99] = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.u-cursor-x')].map((line) => line.getBoundingClientRect().left)`,
    )
    assert.ok(Math.abs(left - other) <= 1, `${left} and ${other}`)
  })

  void test('a table is sorted on request, keeps its order, and has it in the address', async () => {
    const { page } = await open('/node/node-3')
    const rows = page.locator('.table-row .cell-pod a')
    await page.getByRole('button', { name: 'Use', exact: true }).click()
    await until('the address has it', async () => page.url().includes('sort=-used'))
    const order = await rows.allTextContents()
    const used = await page.locator('.table-row .cell-used').allTextContents()
    const amounts = used.map((text) => parseInt(text, 10))
    assert.deepEqual(
      amounts,
      amounts.toSorted((a, b) => b - a),
    )
    for (let i = 0; i < 60; i += 1) fixture.tick()
    await page.getByRole('button', { name: /^Sort again/ }).waitFor()
    assert.deepEqual(await rows.allTextContents(), order)
    await page.getByRole('button', { name: /^Sort again/ }).click()
    await until(
      'it is sorted anew',
      async () => (await rows.allTextContents()).join() !== order.join(),
    )
  })

  void test('events are filtered by kind and text, and the address has both', async () => {
    const { page } = await open('/events')
    await page.getByRole('button', { name: /^resize/ }).click()
    await page.getByLabel('only events with this text').fill('node-2')
    await until('the address has both', async () => /q=node-2&only=resize/.test(page.url()))
    const kinds = new Set(await page.locator('.happenings .kind').allTextContents())
    assert.deepEqual([...kinds], ['resize'])
    await page.getByLabel('only events with this text').fill('nothing has this')
    await page.getByRole('button', { name: 'Show all events' }).click()
    await until('all are shown', async () => (await page.locator('.happenings li').count()) > 50)
  })

  void test('the comparison marks the best in words', async () => {
    const { page, errors } = await open('/comparison')
    const row = page.getByRole('row', { name: /^mbcas/ }).first()
    await row.waitFor()
    assert.match((await row.textContent()) ?? '', /2\.1 % ?best/)
    assert.deepEqual(errors, [])
  })

  void test('everything can be reached by keys', async () => {
    const { page } = await open('/')
    await page
      .getByRole('link', { name: /^node-\d+ \w/ })
      .first()
      .waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    const title = page.getByRole('heading', { level: 1 })
    const isTitled = async (text: string): Promise<boolean> =>
      ((await title.textContent()) ?? '').startsWith(text)
    await until('a node is open', async () => isTitled('node-'))
    await page.getByRole('table').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await until('a pod is open', async () => isTitled('shop/'))
    await page.getByText('It bid for').waitFor()
    await page.keyboard.press('Escape')
    await until('its node is open', async () => isTitled('node-'))
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await page.keyboard.type('worker-b-4')
    await page.getByRole('option', { name: /worker-b-4/ }).waitFor()
    await page.keyboard.press('Enter')
    await until(
      'what was sought is open',
      async () => (await title.textContent()) === 'shop/worker-b-4-0',
    )
    await page.getByText('It bid for').waitFor()
    await page.locator('button.live:enabled').waitFor()
    await page.keyboard.press('p')
    await page.getByRole('button', { name: 'Live' }).waitFor()
  })
})
