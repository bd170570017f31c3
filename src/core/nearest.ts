/** Nobody mistypes more; the time grows with the length. */
const LONGEST_WORD = 300

/** The known word that a mistyped one most likely meant, or none if nothing is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > LONGEST_WORD) return undefined
  const near = known
    .map((candidate) => ({
      candidate,
      edits: editDistance(word.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(({ candidate, edits }) => edits <= Math.max(2, candidate.length / 3))
    .toSorted((a, b) => a.edits - b.edits)
  return near[0]?.candidate
}

/** Insertions, deletions and replacements from one word to the other (Levenshtein 1965). */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(replaced, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return previous[b.length] ?? 0
}
