/** Feeds one input to a target, and says what was wrong, if anything. */
import { InvalidInput } from '../../src/core/errors.ts'
import { seededRandom } from '../../src/core/random.ts'
import { MOST_INPUTS } from './options.ts'
import type { FuzzInput, FuzzTarget } from './target.ts'

export type Failure = {
  /** The same for what is wrong in the same way. */
  readonly signature: string
  readonly message: string
}

export const inputOf = (target: FuzzTarget, seed: number, index: number): FuzzInput =>
  target.generate(seededRandom(seed * MOST_INPUTS + index))

/** Of a promise: longer than any answer takes, however busy the machine is. */
const ANSWERS_WITHIN_MILLIS = 60_000

export async function feed(target: FuzzTarget, input: FuzzInput): Promise<Failure | undefined> {
  try {
    const running = target.run(input)
    if (running !== undefined) await inTime(running)
  } catch (error) {
    if (!(error instanceof InvalidInput) && target.refuses?.(error) !== true)
      return failureOf(error)
  }
  const polluted = Object.keys(Object.prototype)
  if (polluted.length === 0) return undefined
  for (const key of polluted) delete (Object.prototype as Record<string, unknown>)[key]
  const message = `Object.prototype got ${polluted.join(', ')}`
  return { signature: 'pollution', message }
}

async function inTime(running: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`no answer within ${ANSWERS_WITHIN_MILLIS / 1000} s`))
    timer = setTimeout(fail, ANSWERS_WITHIN_MILLIS)
  })
  await Promise.race([running, late]).finally(() => clearTimeout(timer))
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { signature: 'thrown', message: `threw ${String(error)}` }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ +at /.test(line))
  const place = frames.find((line) => !line.includes('node:')) ?? frames[0] ?? ''
  const said = error.message.slice(0, 300)
  const signature = `${error.name} ${place.trim()} ${place === '' ? said : ''}`
  return { signature, message: `${error.name}: ${said}\n${frames.slice(0, 6).join('\n')}` }
}
