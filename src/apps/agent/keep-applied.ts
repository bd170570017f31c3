/** Keeps one object of the API as it should be: written when it is another, and now and then. */
import { fieldManagers } from '../../apis/names.ts'
import type { KubeObject, Resource } from '../../apis/object.ts'
import type { Millis } from '../../core/units.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Kube, Patch } from '../../ports/kube.ts'
import type { Log } from '../../ports/log.ts'

type Outcome = 'written' | 'unchanged' | 'failed'

/** Never throws: what fails is told once, and tried again when it is next called. */
export type KeepApplied<T> = (object: T, signal: AbortSignal) => Promise<Outcome>

/** So that one that somebody took away comes back, and its time tells that the agent lives. */
const LONGEST_SILENCE_MILLIS = 300_000

type Needs<T extends KubeObject> = {
  readonly kube: Kube
  readonly clock: Clock
  readonly log: Log
  readonly resource: Resource<T>
  /** As in the line that tells that it failed. */
  readonly doing: string
  /** A field that is no news. */
  readonly except?: string
}

export function keepApplied<T extends KubeObject>(needs: Needs<T>): KeepApplied<T> {
  const { kube, clock, log, resource, doing, except } = needs
  let written: { readonly said: string; readonly at: Millis } | undefined
  let told = ''
  return async (object, signal) => {
    const { name = '' } = object.metadata
    const said = JSON.stringify(object, (key, value: unknown) =>
      key === except ? undefined : value,
    )
    const at = clock.now()
    if (written?.said === said && at - written.at < LONGEST_SILENCE_MILLIS) return 'unchanged'
    const owner = { fieldManager: fieldManagers.agent, force: true }
    const patch: Patch = { type: 'apply', body: object, ...owner }
    try {
      await kube.patch(resource, { name }, patch, { signal, purpose: 'status' })
      written = { said, at }
      told = ''
      return 'written'
    } catch (error) {
      written = undefined // it may have been written all the same
      const problem = String(error)
      const isNews = !signal.aborted && problem !== told
      if (isNews) log('error', doing, { node: name, error })
      told = problem
      return 'failed'
    }
  }
}
