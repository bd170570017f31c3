/** Takes out of what kubectl printed all that differs between two runs on one and the same cluster. */

/** What the API server takes for generated names. */
const letter = '[bcdfghjklmnpqrstvwxz2456789]'

const replacements: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UID'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME'],
  [/\b\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, 'TIME'],
  [/(Resource Version: +)\d+/g, '$1RV'],
  [/\b([a-z]+)\.[0-9a-f]{14,16}\b/g, '$1.EVENT'],
  [/(controller-revision-hash"?[=:] ?"?)[a-z0-9]+/g, '$1HASH'],
  [/(resourceVersion"?[:=] ?)"?\d+"?/gi, '$1RV'],
  [/containerd:\/\/[0-9a-f]{64}/g, 'CONTAINER'],
  [/kubectl-edit-\d+/g, 'kubectl-edit-N'],
  [/sha256:[0-9a-f]{64}/g, 'IMAGE'],
  [new RegExp(`-${letter}{8,10}-${letter}{5}\\b`, 'g'), '-HASH-RANDOM'],
  [new RegExp(`-${letter}{8,10}\\b`, 'g'), '-HASH'],
  [new RegExp(`(pod-template-hash"?[=:] ?"?)${letter}{6,10}\\b`, 'g'), '$1HASH'],
  [new RegExp(`-${letter}{5}\\b`, 'g'), '-RANDOM'],
  [/\b\d{1,3}(\.\d{1,3}){3}\b/g, 'IP'],
  [/(Age:|Duration:|over|\bfor:?) +\d+[smhd](\d+[smh])?\b/g, '$1 AGE'],
]

/** The real cluster is run without service accounts and without DNS. */
const ofTheSetting =
  /^ +serviceAccount(Name)?: default$|^Service Account: +default$|MissingClusterDNS/

export function normalise(text: string, namespace: string): string {
  let result = withoutAges(text).join('\n').replaceAll(namespace, 'NS')
  for (const [pattern, by] of replacements) result = result.replaceAll(pattern, by)
  return result
    .split('\n')
    .filter((line) => !ofTheSetting.test(line))
    .map((line) => line.replaceAll(/(?<=\S) {2,}/g, '  ').trimEnd())
    .join('\n')
    .trimEnd()
}

const age = /\b(AGE|Age|LAST SEEN|FIRST SEEN|DURATION)\b/

/** Columns are found by where their heads stand: cells may be empty. */
function withoutAges(text: string): string[] {
  let spans: (readonly [number, number])[] = []
  return text.split('\n').map((line) => {
    if (line.trim() === '') spans = []
    else if (age.test(line) && /^ *[A-Z]/.test(line)) {
      spans = [...line.matchAll(new RegExp(age, 'g'))].map(({ 0: head, index }) => {
        const gap = /\s*/.exec(line.slice(index + head.length))?.[0].length ?? 0
        return [index, index + head.length + gap]
      })
      return line
    }
    return spans.toReversed().reduce(cut, line)
  })
}

function cut(line: string, [from, to]: readonly [number, number]): string {
  if (line.length <= from) return line
  const cell = line.slice(from, to).replaceAll(/^(\d+[smhd])+(?= |$)/g, 'AGE')
  return line.slice(0, from) + cell + line.slice(to)
}
