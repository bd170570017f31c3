/**
 * What owners say of a pod under a name of `settings`, as annotations or labels. Of several words on
 * one thing the pod's win over the namespace's, and an annotation over a label; of two ceilings, of pod
 * and namespace, the narrower counts (`wishes.ts`).
 */
import type { Namespace } from './namespace.ts'
import type { KubeObject } from './object.ts'

export const modes = ['off', 'recommend', 'auto'] as const
/** `recommend`: what should be is published, and nobody acts on it, the kernel included. */
export type Mode = (typeof modes)[number]

export type Word = {
  readonly text: string
  /** For people: empty on the pod itself. */
  readonly where: string
}

type Said = Pick<KubeObject, 'metadata'>

/** All that is said under a name, the strongest word first. */
export function wordsOn(pod: Said, namespace: Namespace | undefined) {
  const sources = [
    ...sourcesIn(pod, ''),
    ...(namespace ? sourcesIn(namespace, ` of namespace ${namespace.metadata.name ?? ''}`) : []),
  ]
  return (name: string): Word[] =>
    sources.flatMap(({ texts, where }) => {
      const text = texts?.[name]
      return text === undefined ? [] : [{ text, where }]
    })
}

const sourcesIn = ({ metadata }: Said, where: string) => [
  { texts: metadata.annotations, where },
  { texts: metadata.labels, where },
]
