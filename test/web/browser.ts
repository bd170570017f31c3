/** A real browser on the page, which tells what went wrong in it. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

import { pathOf, real } from '../real.ts'
import { patienceMillis } from '../until.ts'

export const startBrowser = async (): Promise<Browser> =>
  chromium.launch({ executablePath: pathOf(real.chromium), args: ['--no-sandbox'] })

export type Opened = {
  readonly page: Page
  /** What the console was told as an error, and what was thrown. */
  readonly errors: readonly string[]
  /** Requests to anywhere but the server of the page. */
  readonly elsewhere: readonly string[]
}

type Look = BrowserContextOptions & { readonly browser: Browser }

/** `address` is the part after `#`. */
export async function openPage(url: string, address: string, look: Look): Promise<Opened> {
  const { browser, ...options } = look
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(patienceMillis)
  const errors: string[] = []
  const elsewhere: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) elsewhere.push(request.url())
  })
  await page.goto(`${url}#${address}`)
  return { page, errors, elsewhere }
}
