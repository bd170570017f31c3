/**
 * MarketSettings: modes and exclusions of the whole cluster, in the one object that every process
 * reads. Where there is none, the defaults hold.
 */
import type { InferOutput } from 'valibot'

import { systemNamespaces } from '../core/bidding/unmanaged.ts'
import { InvalidInput } from '../core/errors.ts'
import type { marketSettingsSpec } from './market-settings-spec.ts'
import { apiVersion, groups } from './names.ts'
import type { DeepReadonly, KubeObject, Resource } from './object.ts'
import { type Mode, modes } from './owner-words.ts'

export type MarketSettings = KubeObject & {
  readonly spec?: DeepReadonly<Partial<InferOutput<typeof marketSettingsSpec>>>
}

export const marketSettings: Resource<MarketSettings> = {
  group: groups.allocation,
  version: apiVersion,
  plural: 'marketsettings',
  kind: 'MarketSettings',
  namespaced: false,
}

/** The only name that one may have. */
export const settingsName = 'cluster'

export type ClusterSettings = {
  readonly mode: Mode
  /** Without those of the system, which never take part. */
  readonly excludedNamespaces: ReadonlySet<string>
}

export const defaultSettings: ClusterSettings = { mode: 'auto', excludedNamespaces: new Set() }

/** Throws where it says what we do not know, as one of a later version may. */
export function readSettings({ spec = {} }: MarketSettings): ClusterSettings {
  const { mode = defaultSettings.mode, excludedNamespaces = [] } = spec as Record<string, unknown>
  const known = modes.find((one) => one === mode)
  if (known === undefined) throw fault(`spec.mode to be ${modes.join(', ')}`, mode)
  if (!isTexts(excludedNamespaces))
    throw fault('spec.excludedNamespaces to be a list of names', excludedNamespaces)
  return { mode: known, excludedNamespaces: new Set(excludedNamespaces) }
}

const fault = (expected: string, got: unknown): InvalidInput =>
  new InvalidInput(
    `reading MarketSettings ${settingsName}: expected ${expected}, got ${JSON.stringify(got)}`,
  )

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** What a mode of the whole cluster means for every pod; `auto` goes without saying. */
export const noteOfMode: Readonly<Record<Mode, string | undefined>> = {
  auto: undefined,
  recommend: `Mode recommend (MarketSettings ${settingsName}): no pod is resized, no weight set`,
  off: `Mode off (MarketSettings ${settingsName}): no pod is managed, originals are restored`,
}

/** Where they cannot be read, each process goes on with what it read last. */
export const noteOfFault = (fault: string): string =>
  `Mode not known: ${fault}; agents and controller keep to what they read last`

/** The narrower of two modes: `off` wins over `recommend`, and that over `auto`. */
export const narrower = (a: Mode, b: Mode): Mode => (modes.indexOf(a) < modes.indexOf(b) ? a : b)

/** Why the whole cluster's settings leave a namespace out, in words; undefined where they do not. */
export function whyOutside(
  namespace: string,
  { mode, excludedNamespaces }: ClusterSettings,
): string | undefined {
  if (systemNamespaces.has(namespace)) return `is in the system namespace ${namespace}`
  if (excludedNamespaces.has(namespace)) {
    return `is in namespace ${namespace}, which MarketSettings ${settingsName} excludes`
  }
  return mode === 'off' ? `the cluster is in mode off (MarketSettings ${settingsName})` : undefined
}
