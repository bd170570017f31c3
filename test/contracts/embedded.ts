/** What the contract suite needs to know of the embedded cluster. */
import type { KubeObject, Resource } from '../../src/apis/object.ts'

export const crds: Resource<KubeObject> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
}

export const unlimited = {
  read: 'unlimited',
  write: 'unlimited',
  status: 'unlimited',
  event: 'unlimited',
} as const

/** Moves the token to version 1, which no server remembers. */
export function expireToken(token: string): string {
  const parts = JSON.parse(Buffer.from(token, 'base64url').toString()) as { rv: number }
  return Buffer.from(JSON.stringify({ ...parts, rv: 1 })).toString('base64url')
}
