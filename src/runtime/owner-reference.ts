import {
  apiVersionOf,
  type KubeObject,
  type OwnerReference,
  type Resource,
} from '../apis/object.ts'

/**
 * Makes what carries it go when the owner goes. Without `blockOwnerDeletion`, which would need the
 * right to set the owner's finalizers. The kind comes from the resource: items of a list carry none.
 */
export function ownerReference<T extends KubeObject>(
  resource: Resource<T>,
  { metadata: { name, uid } }: NoInfer<T>,
): OwnerReference {
  if (name === undefined || uid === undefined) {
    throw new Error(
      `making an owner of ${resource.kind} ${name ?? '(no name)'}: expected a name and a uid, as the API server gives them`,
    )
  }
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, name, uid, controller: true }
}
