/**
 * Takes the pictures of the documentation from the demo:
 *   npm run screenshots                  all; that of the comparison waits until it is worked out
 *   npm run screenshots -- node pod      those named
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { ComparisonView } from '../../src/apis/dashboard.ts'
import { root } from '../run.ts'
import { startSpeaking } from '../speaking.ts'
import { openPage, startBrowser } from './browser.ts'
import { shrinkPng } from './shrink-png.ts'

type Shot = {
  readonly name: string
  readonly address: string
  readonly ready: string
  readonly theme: 'light' | 'dark'
  readonly isPhone?: boolean
}

const shots: readonly Shot[] = [
  { name: 'cluster-light', address: '/', ready: '.tile', theme: 'light' },
  { name: 'cluster-dark', address: '/', ready: '.tile', theme: 'dark' },
  { name: 'node', address: '/node/NODE', ready: '.table-row', theme: 'light' },
  { name: 'pod', address: '/pod/POD', ready: '.decisions li', theme: 'dark' },
  { name: 'events', address: '/events', ready: '.happenings li', theme: 'light' },
  { name: 'comparison', address: '/comparison', ready: '.measures', theme: 'dark' },
  { name: 'phone-cluster', address: '/', ready: '.tile', theme: 'dark', isPhone: true },
  { name: 'phone-pod', address: '/pod/POD', ready: '.decisions li', theme: 'light', isPhone: true },
]
const folder = join(root, 'docs', 'images')
const names = process.argv.slice(2)
const asked = shots.filter(({ name }) => names.length === 0 || names.includes(name))
const MOST_BYTES = 150_000
/** Of the demo: by then it is in contention, the most telling of the phases. */
const SHOWN_MILLIS = 10.5 * 60_000
const SPEED = 20

const demo = await startSpeaking(
  ['demo', '--no-browser', '--port', '0', '--speed', String(SPEED)],
  /^Watch it: +(http:\S+)$/,
)
const browser = await startBrowser()
try {
  const ask = async <T>(path: string): Promise<T> =>
    (await (await fetch(new URL(path, demo.caught))).json()) as T
  const pause = async (millis: number): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, millis))
  // Somebody has to watch: what nobody looks at is sampled less often.
  const watched = await openPage(demo.caught, '/', { browser })
  await pause(SHOWN_MILLIS / SPEED)
  const { pods } = await ask<{ pods: { key: string; node: string }[] }>('api/search?q=worker-a')
  const [{ key, node } = { key: '', node: '' }] = pods
  mkdirSync(folder, { recursive: true })
  for (const { name, address, ready, theme, isPhone = false } of asked) {
    if (name === 'comparison') while (!(await isCompared())) await pause(2000)
    const viewport = isPhone ? { width: 390, height: 844 } : { width: 1280, height: 800 }
    const place = address.replace('NODE', node).replace('POD', key)
    const { page } = await openPage(demo.caught, place, { browser, viewport, colorScheme: theme })
    await page.locator(ready).first().waitFor({ timeout: 60_000 })
    await pause(1500)
    const path = join(folder, `${name}.png`)
    const picture = shrinkPng(await page.screenshot())
    await page.context().close()
    writeFileSync(path, picture)
    const { length } = picture
    console.log(`${path}: ${Math.round(length / 1000)} KB`)
    if (length > MOST_BYTES) {
      throw new Error(`${path}: expected at most ${MOST_BYTES} bytes, got ${length}`)
    }
  }
  await watched.page.context().close()

  async function isCompared(): Promise<boolean> {
    const { progress = 1, arms } = await ask<ComparisonView>('api/comparison')
    return progress >= 1 && arms.length > 0
  }
} finally {
  await browser.close()
  await demo.stop()
}
