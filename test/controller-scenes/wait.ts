/** For tests: waits in simulated time. */
import assert from 'node:assert/strict'

import type { Site } from '../site.ts'

/** Looks until it holds; `tell` says what was there if it never does. */
export async function waitFor(
  { pass }: Pick<Site, 'pass'>,
  what: string,
  { holds, seconds = 30, everySeconds = 0.25, tell }: Wait,
): Promise<void> {
  for (let waited = 0; waited <= seconds; waited += everySeconds) {
    if (await holds()) return
    await pass(everySeconds)
  }
  assert.fail(`waited ${seconds} s for ${what}${tell === undefined ? '' : `: ${tell()}`}`)
}

type Wait = {
  readonly holds: () => boolean | Promise<boolean>
  readonly seconds?: number
  readonly everySeconds?: number
  readonly tell?: () => string
}
