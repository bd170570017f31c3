/** A CustomResourceDefinition as it is written and stored. */
import type { ApiObject } from '../object.ts'
import type { Column } from '../resource-type.ts'
import type { Schema } from './schema.ts'

export type Names = {
  readonly plural?: string
  readonly singular?: string
  readonly kind?: string
  readonly listKind?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}

export type Scale = {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  readonly labelSelectorPath?: string
}

export type Version = {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly deprecated?: boolean
  readonly deprecationWarning?: string
  readonly schema?: { readonly openAPIV3Schema?: Schema }
  readonly subresources?: { readonly status?: object; readonly scale?: Scale }
  readonly additionalPrinterColumns?: readonly {
    readonly name: string
    readonly type: Column['type']
    readonly format?: string
    readonly description?: string
    readonly priority?: number
    readonly jsonPath?: string
  }[]
  readonly selectableFields?: readonly { readonly jsonPath?: string }[]
}

export type DefinitionSpec = {
  readonly group?: string
  readonly scope?: string
  readonly names?: Names
  readonly versions?: readonly Version[]
  readonly conversion?: { readonly strategy?: string; readonly webhook?: object }
  readonly preserveUnknownFields?: boolean
}

export type DefinitionStatus = {
  readonly conditions?: readonly {
    readonly type: string
    readonly status: string
    readonly lastTransitionTime?: string
    readonly reason?: string
    readonly message?: string
  }[]
  readonly acceptedNames?: Names
  readonly storedVersions?: readonly string[]
}

export type Definition = ApiObject<DefinitionSpec, DefinitionStatus>

/** The shape of CRDs has been checked by decoding. */
export const asDefinition = (object: ApiObject): Definition => object as Definition
