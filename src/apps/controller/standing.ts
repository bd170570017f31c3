/**
 * Whether a pod takes part: within what the cluster's settings allow, as its owner and that of its
 * namespace say. Opting out needs no other word to agree: `managed: "false"` stands beside any mode.
 */
import type { ControllerConfig } from '../../apis/controller-config.ts'
import { type ClusterSettings, narrower, whyOutside } from '../../apis/market-settings.ts'
import { settings } from '../../apis/names.ts'
import type { Namespace } from '../../apis/namespace.ts'
import { type Mode, modes, wordsOn } from '../../apis/owner-words.ts'
import type { SeenPod } from './seen-pod.ts'

export type Standing = {
  /** Why it is left alone, in words; undefined for one that takes part. */
  readonly excluded: string | undefined
  readonly mode: 'recommend' | 'auto'
  readonly managesGuaranteed: boolean
}

type Rules = Pick<ControllerConfig, 'skipsGuaranteed'> & { readonly settings: ClusterSettings }

export function standingOf(
  pod: Pick<SeenPod, 'metadata' | 'namespace' | 'isMirror'>,
  namespace: Namespace | undefined,
  rules: Rules,
): Standing {
  const words = wordsOn(pod, namespace)
  const said = (name: string): string[] => words(name).map(({ text }) => text)
  const own = said(settings.mode).find(isMode) ?? 'auto'
  const mode = narrower(own, rules.settings.mode)
  const isOptedOut = said(settings.managed).find(isYesOrNo) === 'false'
  return {
    excluded: whyOutside(pod.namespace, rules.settings) ?? whyExcluded(pod, { isOptedOut, own }),
    mode: mode === 'recommend' ? 'recommend' : 'auto',
    managesGuaranteed:
      !rules.skipsGuaranteed ||
      said(settings.guaranteed).find((word) => word === 'manage') !== undefined,
  }
}

function whyExcluded(
  { isMirror }: Pick<SeenPod, 'isMirror'>,
  { isOptedOut, own }: { readonly isOptedOut: boolean; readonly own: Mode },
): string | undefined {
  if (isOptedOut) return `opted out by ${settings.managed}`
  if (own === 'off') return `is turned off by ${settings.mode}`
  return isMirror ? 'is a static pod, which cannot be resized' : undefined
}

const isYesOrNo = (word: string): boolean => word === 'true' || word === 'false'

const isMode = (word: string): word is Mode => modes.some((mode) => mode === word)
