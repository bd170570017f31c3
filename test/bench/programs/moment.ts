import { setTimeout as sleep } from 'node:timers/promises'

export type Moment = {
  /** Of the wall clock, which all processes of the load share. */
  readonly startMillis: number
  readonly signal: AbortSignal
}

/** Waits for a second of the load. */
export async function secondOf(second: number, { startMillis, signal }: Moment): Promise<void> {
  const millis = startMillis + second * 1000 - Date.now()
  await sleep(Math.max(0, millis), undefined, { signal })
}
