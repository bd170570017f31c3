/** The CRD of a kind. */
import type { JsonObject } from '../../../src/sim/apiserver/object.ts'
import type { Kind } from './kind.ts'

export const group = 'crd.h.mbcas.io'
export const pluralOf = ({ kind }: Kind): string => `${kind.toLowerCase()}s`

export function definitionOf(kind: Kind): JsonObject {
  const { spec, status, root = {}, subresources, columns, selectable } = kind
  const plural = pluralOf(kind)
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind: kind.kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec, ...(status && { status }) },
              ...root,
            },
          },
          ...(subresources && { subresources }),
          ...(columns && { additionalPrinterColumns: columns }),
          ...(selectable && { selectableFields: selectable.map((jsonPath) => ({ jsonPath })) }),
        },
      ],
    },
  }
}
