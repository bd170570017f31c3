/**
 * The settings of the whole cluster, as every process reads them. What cannot be read does not count:
 * the last that could is kept and, where there was none, nothing is touched.
 *
 *   MarketSettings cluster   before         holds
 *   none, or no such kind    -              the defaults
 *   readable                 -              what it says
 *   not readable             mode auto      mode auto
 *   not readable             nothing read   mode recommend
 *   not allowed to read it   nothing read   mode recommend
 */
import { whole } from '../apis/keep.ts'
import {
  type ClusterSettings,
  defaultSettings,
  type MarketSettings,
  marketSettings,
  readSettings,
} from '../apis/market-settings.ts'
import type { Random } from '../core/random.ts'
import type { Clock } from '../ports/clock.ts'
import type { Kube } from '../ports/kube.ts'
import type { Log } from '../ports/log.ts'
import { startOptionalCache } from './optional-cache.ts'
import type { Change } from './store.ts'

export type SettingsWatch = {
  readonly current: () => ClusterSettings
  /** Why the object that is there does not count; undefined if it does, or there is none. */
  readonly fault: () => string | undefined
  readonly hasSynced: () => boolean
  /** Resolves after an abort. */
  readonly stopped: Promise<void>
}

type SettingsPorts = {
  readonly kube: Kube
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly signal: AbortSignal
}

const cautious: ClusterSettings = { ...defaultSettings, mode: 'recommend' }

type Read = { readonly settings: ClusterSettings } | { readonly fault: string }

export function watchSettings(ports: SettingsPorts, onChange = (): void => {}): SettingsWatch {
  const { log } = ports
  let current = defaultSettings
  let wasRead = false
  let fault: string | undefined
  /** It may be read now, and was not yet: the defaults would act for a moment. */
  let isListing = false

  const take = (change: Change<Read>): void => {
    isListing = false
    const read = change.type === 'deleted' ? { settings: defaultSettings } : change.now
    fault = 'fault' in read ? read.fault : undefined
    if ('fault' in read) {
      if (!wasRead) current = cautious
      log('warn', 'settings not readable', { error: read.fault, keptMode: current.mode })
    } else {
      const { mode, excludedNamespaces } = (current = read.settings)
      wasRead = true
      log('info', 'settings read', { mode, excludedNamespaces: [...excludedNamespaces] })
    }
    onChange()
  }

  /** An agent that is newer than its RBAC must sample all the same. */
  const onForbidden = (error: unknown): void => {
    if (error === undefined) {
      fault = undefined
      current = defaultSettings
      isListing = true
      return
    }
    if (fault !== undefined) return
    const why = error instanceof Error ? error.message : 'reading them is forbidden'
    fault = `${why}; kubectl apply -f deploy/rbac`
    current = cautious
    log('warn', 'settings not readable', { error: fault, keptMode: current.mode })
    onChange()
  }

  const { hasSynced, stopped } = startOptionalCache({
    ...ports,
    onForbidden,
    resource: marketSettings,
    keep: { spec: whole }, // only administrators write it
    project: readOf,
    handlers: [take],
  })
  const now = (): ClusterSettings => (isListing && !hasSynced() ? cautious : current)
  return { current: now, fault: () => fault, hasSynced, stopped }
}

/** What throws in a projection counts as absent, and absent means the defaults. */
function readOf(object: MarketSettings): Read {
  try {
    return { settings: readSettings(object) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}
