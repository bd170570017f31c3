/** Work that takes all the CPU it gets. */
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import { startIn, type Started } from './process.ts'

export type Batch = 'stress-ng' | 'compiler'

/** Two for each CPU: there is always one that waits. */
const threads = 2 * availableParallelism()
const functions = 400

export function startBatch(kind: Batch, group: string, folder: string): Started[] {
  if (kind === 'stress-ng') {
    const flags = ['--cpu', String(threads), '--quiet', '--temp-path', folder]
    return [startIn(group, ['stress-ng', ...flags])]
  }
  const source = join(folder, 'many.c')
  writeFileSync(source, sourceOf(functions))
  const again = 'while :; do cc -O2 -c "$1" -o /dev/null || exit 1; done'
  return Array.from({ length: threads }, () => startIn(group, ['sh', '-c', again, 'sh', source]))
}

/** About a second of `cc -O2`. */
const sourceOf = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `int f${i}(int *a, int n) {
  int s = ${i};
  for (int i = 0; i < n; i++) for (int j = i; j < n; j++) s += a[i] * a[j] % (${i} + j + 1);
  return s;
}
`,
  ).join('')
