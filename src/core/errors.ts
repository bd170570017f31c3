/** What was given cannot be used; the message names the object, what was expected and what came. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput'
}
