/** What was given cannot be used; the message names the object, what was expected and what came. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput'
}

/** What is found wrong in the work is told of the file that it is about, line by line. */
export function naming<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw named(name, error)
  }
}

export function named(name: string, error: unknown): unknown {
  if (!(error instanceof InvalidInput)) return error
  const lines = error.message.split('\n')
  const said = lines.map((line) => (line.startsWith(`${name}: `) ? line : `${name}: ${line}`))
  return new InvalidInput(said.join('\n'), { cause: error })
}
