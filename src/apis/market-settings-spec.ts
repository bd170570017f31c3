import * as v from 'valibot'

import { modes } from './owner-words.ts'
import { type Rule, text } from './pod-allocation-fields.ts'

/** Kubernetes' own bound on what a list in a rule may cost is far above it. */
const mostNamespaces = 1000

export const marketSettingsSpec = v.pipe(
  v.object({
    mode: v.optional(
      v.pipe(
        v.picklist(modes),
        v.description(
          'Of the whole cluster, for agents and controller alike: `auto` moves the kernel and resizes; `recommend` publishes what each pod should have and touches nothing; `off` publishes nothing and restores the original values. `mbcas.io/mode` on a pod or namespace narrows it and never widens it',
        ),
      ),
      'auto',
    ),
    excludedNamespaces: v.optional(
      v.pipe(
        v.array(text('Name of a namespace', { minLength: 1, maxLength: 63 })),
        v.description(
          'Namespaces whose pods take no part. kube-system, kube-public, kube-node-lease and mbcas-system never do and need not be listed',
        ),
        v.metadata({ maxItems: mostNamespaces, 'x-kubernetes-list-type': 'set' }),
      ),
      [],
    ),
  }),
  v.description('What holds in the whole cluster'),
)

export const marketSettingsRules: readonly Rule[] = [
  {
    rule: "self.metadata.name == 'cluster'",
    message: 'there is one MarketSettings for the whole cluster: name it cluster',
  },
]
