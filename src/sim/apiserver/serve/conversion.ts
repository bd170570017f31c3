/** A strategic merge is read as a tree and not as text, and what does not fit is told in other words. */

const wrongType = /^json: cannot unmarshal (\w+) (?:(\S+) )?into .* of type (\S+)$/
const goKinds: Readonly<Record<string, string>> = {
  array: 'slice',
  number: 'int64',
  object: 'map',
}
const plain = /^(bool|string|u?int\d*|float\d+)$/

/** Of what decoding says: other complaints stay as they are. */
export function explainConversion(why: string): string {
  const [, got = '', value = '', goType = ''] = wrongType.exec(why) ?? []
  if (goType === '') return why
  if (value.includes('.')) return `cannot convert float64 to ${goType}`
  const from = goKinds[got] ?? got
  if (goType.startsWith('map[')) return `cannot restore map from ${from}`
  if (goType.startsWith('[]')) return `cannot restore slice from ${from}`
  // Go can make a string of a number, which is refused; of others it cannot.
  if (goType === 'string' && got === 'number') return `cannot convert ${from} to ${goType}`
  return plain.test(goType) ? `unrecognized type: ${goType}` : `cannot restore struct from: ${from}`
}
