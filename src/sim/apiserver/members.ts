/**
 * Members of objects whose keys are data: `constructor` and `__proto__` are keys like any other, and what
 * every object inherits is no member.
 */
type Fields<T> = { readonly [key: string]: T }

export const memberOf = <T>(object: Fields<T>, key: string): T | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined

/** Into a new object. Not by assignment, which for `__proto__` would set the prototype. */
export function setMember<T>(object: { [key: string]: T }, key: string, value: T): void {
  if (key !== '__proto__') object[key] = value
  else
    Object.defineProperty(object, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    })
}
