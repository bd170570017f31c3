/** Which mode holds for a pod, and where it comes from. */
import { narrower, settingsName, whyOutside } from '../../../apis/market-settings.ts'
import { settings as words } from '../../../apis/names.ts'
import type { Namespace } from '../../../apis/namespace.ts'
import { type Mode, modes, wordsOn } from '../../../apis/owner-words.ts'
import type { Pod } from '../../../apis/pod.ts'
import type { ToldSettings } from '../status/told-settings.ts'

export type PodMode = {
  readonly mode: ToldSettings['mode']
  /** In words: whose word it is, or why nobody's is needed. */
  readonly from: string
}

type Asked = {
  readonly pod: Pick<Pod, 'metadata'>
  /** Undefined where it cannot be read. */
  readonly namespace: Namespace | undefined
  readonly cluster: ToldSettings
}

const clusterWord = `MarketSettings ${settingsName}`

export function modeOfPod({ pod, namespace, cluster }: Asked): PodMode {
  const { mode: most, note } = cluster
  if (most === 'unknown') return { mode: most, from: note ?? '' }
  const rules = { mode: most, excludedNamespaces: new Set(cluster.excludedNamespaces) }
  const outside = whyOutside(pod.metadata.namespace ?? '', rules)
  if (outside !== undefined) return { mode: 'off', from: outside }
  const said = wordsOn(pod, namespace)
  const optedOut = said(words.managed).find(({ text }) => text === 'true' || text === 'false')
  if (optedOut?.text === 'false') {
    return { mode: 'off', from: `opted out by ${words.managed}${optedOut.where}` }
  }
  const own = said(words.mode).find(({ text }) => modes.some((mode) => mode === text))
  const unread = namespace === undefined ? '; what its namespace says cannot be read' : ''
  if (own === undefined) {
    return { mode: most, from: `${most === 'auto' ? 'the default' : clusterWord}${unread}` }
  }
  const mode = narrower(own.text as Mode, most)
  const word = `${words.mode}${own.where}`
  return {
    mode,
    from: mode === own.text ? word : `${clusterWord}, which ${word} (${own.text}) cannot widen`,
  }
}
