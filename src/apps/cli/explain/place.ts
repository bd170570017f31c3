import { InvalidInput } from '../../../core/errors.ts'

export type Place = { readonly namespace: string; readonly name: string }

type Where = {
  /** `-n`, if it was given. */
  readonly namespace: string | undefined
  /** Of the kubeconfig's context. */
  readonly usual: string
}

/** `NAMESPACE/NAME`, or `NAME` in the namespace of `-n` or of the context. */
export function placeOf(doing: string, given: string, { namespace, usual }: Where): Place {
  const parts = given.split('/')
  const [first = '', second] = parts
  if (parts.some((part) => part === '') || parts.length > 2) {
    throw new InvalidInput(
      `${doing}: expected NAMESPACE/NAME, or NAME and -n NAMESPACE, got "${given}"`,
    )
  }
  if (second === undefined) return { namespace: namespace ?? usual, name: first }
  if (namespace !== undefined && namespace !== first) {
    throw new InvalidInput(
      `${doing}: expected one namespace, got ${first} in "${given}" and ${namespace} from -n; leave one out`,
    )
  }
  return { namespace: first, name: second }
}
