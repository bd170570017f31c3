/** The settings of the whole cluster, as a person or a program is told of them. */
import {
  type ClusterSettings,
  defaultSettings,
  marketSettings,
  noteOfFault,
  noteOfMode,
  readSettings,
  settingsName,
} from '../../../apis/market-settings.ts'
import type { Mode } from '../../../apis/owner-words.ts'
import { InvalidInput } from '../../../core/errors.ts'
import { ApiError, isMissingType, type Kube } from '../../../ports/kube.ts'
import { listAll } from '../read.ts'

export type ToldSettings = {
  /** Of MarketSettings `cluster`; `unknown` where it is there and cannot be read. */
  readonly mode: Mode | 'unknown'
  readonly excludedNamespaces: readonly string[]
  /** What an operator should know of it; null where it is as usual. */
  readonly note: string | null
}

export const usualSettings: ToldSettings = told(defaultSettings)

export async function readToldSettings(kube: Pick<Kube, 'list'>): Promise<ToldSettings> {
  try {
    const found = await listAll(kube, marketSettings)
    const own = found.find(({ metadata }) => metadata.name === settingsName)
    return own === undefined ? usualSettings : told(readSettings(own))
  } catch (error) {
    if (isMissingType(error)) return usualSettings
    if (error instanceof InvalidInput) return unknown(error.message)
    if (!(error instanceof ApiError)) throw error
    return unknown(`reading MarketSettings ${settingsName}: ${error.said}`)
  }
}

function told({ mode, excludedNamespaces }: ClusterSettings): ToldSettings {
  const note = noteOfMode[mode] ?? null
  return { mode, excludedNamespaces: [...excludedNamespaces].toSorted(), note }
}

const unknown = (fault: string): ToldSettings => ({
  mode: 'unknown',
  excludedNamespaces: [],
  note: noteOfFault(fault),
})
