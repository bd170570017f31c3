/** What a kind's file says about it: all of a resource type that discovery and the shape do not say. */
import type { ResourceNames, ResourceType } from '../resource-type.ts'

export type KindRules = Omit<
  ResourceType,
  keyof ResourceNames | 'shape' | 'subresources' | 'writtenSchema'
>
