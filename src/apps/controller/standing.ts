/**
 * Whether a pod takes part, as its owner, that of its namespace and the operator say, whose word is the
 * weakest. Opting out needs no other word to agree: `managed: "false"` stands beside any mode.
 */
import type { ControllerConfig } from '../../apis/controller-config.ts'
import { settings } from '../../apis/names.ts'
import type { Namespace } from '../../apis/namespace.ts'
import { type Mode, modes, wordsOn } from '../../apis/owner-words.ts'
import { systemNamespaces } from '../../core/bidding/unmanaged.ts'
import type { SeenPod } from './seen-pod.ts'

export type Standing = {
  /** Why it is left alone, in words; undefined for one that takes part. */
  readonly excluded: string | undefined
  readonly mode: 'recommend' | 'auto'
  readonly managesGuaranteed: boolean
}

type Rules = Pick<ControllerConfig, 'mode' | 'skipsGuaranteed'>

export function standingOf(
  pod: Pick<SeenPod, 'metadata' | 'namespace' | 'isMirror'>,
  namespace: Namespace | undefined,
  rules: Rules,
): Standing {
  const words = wordsOn(pod, namespace)
  const said = (name: string): string[] => words(name).map(({ text }) => text)
  const own = said(settings.mode).find(isMode)
  const mode = own ?? rules.mode
  return {
    excluded: whyExcluded(pod, said(settings.managed).find(isYesOrNo) === 'false', { own, mode }),
    mode: mode === 'recommend' ? 'recommend' : 'auto',
    managesGuaranteed:
      !rules.skipsGuaranteed ||
      said(settings.guaranteed).find((word) => word === 'manage') !== undefined,
  }
}

function whyExcluded(
  { namespace, isMirror }: Pick<SeenPod, 'namespace' | 'isMirror'>,
  isOptedOut: boolean,
  { own, mode }: { readonly own: Mode | undefined; readonly mode: Mode },
): string | undefined {
  if (isOptedOut) return `opted out by ${settings.managed}`
  if (mode === 'off') {
    return own === undefined ? 'the controller is in mode off' : `is turned off by ${settings.mode}`
  }
  if (systemNamespaces.has(namespace)) return `is in the system namespace ${namespace}`
  return isMirror ? 'is a static pod, which cannot be resized' : undefined
}

const isYesOrNo = (word: string): boolean => word === 'true' || word === 'false'

const isMode = (word: string): word is Mode => modes.some((mode) => mode === word)
