/**
 * Resource versions of one resource on one server may be compared as whole numbers where both are
 * decimal without leading zeros (KEP-5504, Kubernetes 1.35); all else has no order that we know.
 *
 *   isOlder('9', '10')   -> true
 *   isOlder('10', '10')  -> false
 *   isOlder('a9', '10')  -> false: not comparable, the order of the watch decides
 */
export function isOlder(version: string, than: string): boolean {
  if (!decimal.test(version) || !decimal.test(than)) return false
  if (version.length !== than.length) return version.length < than.length
  return version < than
}

const decimal = /^[1-9][0-9]*$/
