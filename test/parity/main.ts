/**
 * Compares the embedded cluster with a real one: `node dist/test/parity/main.js EMBEDDED REAL [WORD...]`,
 * each a kubeconfig, runs the sequences whose name has all the words. What the real one said is kept in
 * the folder of its kubeconfig (parity.json) by the text of the sequence and of all manifests.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import type { Ran } from '../run.ts'
import { normalise } from './normalise.ts'
import { readManifests, readSequences, type Sequence } from './sequence.ts'
import { kubectlScript, type Server, type Tried, trySequence } from './try-sequence.ts'

const sideBySide = 4

const [embeddedConfig = '', realConfig = '', ...words] = process.argv.slice(2)
const serverAt = (kubeconfig: string): Server => {
  const cache = mkdtempSync(join(tmpdir(), 'mbcas-parity-'))
  process.once('exit', () => rmSync(cache, { recursive: true, force: true }))
  writeFileSync(join(cache, 'kubectl'), kubectlScript(cache), { mode: 0o755 })
  return { kubeconfig, cache }
}
const embedded = serverAt(embeddedConfig)
const real = serverAt(realConfig)

const recordFile = join(dirname(realConfig), 'parity.json')
const record = (
  existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, 'utf8')) : {}
) as Record<string, Tried>

const manifests = readManifests()

async function askReal(sequence: Sequence): Promise<Tried> {
  const key = createHash('sha256')
    .update(JSON.stringify([sequence, manifests]))
    .digest('hex')
  const tried = record[key] ?? (await trySequence(real, sequence))
  record[key] = tried
  return tried
}

/** Lines that one has and the other has not, in their order. */
function differ(ours: string, theirs: string): string[] {
  const [our, their] = [ours.split('\n'), theirs.split('\n')]
  const rest = [...our]
  const missing = their.filter((line) => {
    const at = rest.indexOf(line)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
  const lines = [
    ...missing.map((line) => `  real:     ${line}`),
    ...rest.map((line) => `  embedded: ${line}`),
  ]
  return lines.length === 0 && ours !== theirs ? ['  (the same lines in another order)'] : lines
}

function stepOf({ namespace, said }: Tried, at: number): Ran {
  const { code = 0, stdout = '', stderr = '' } = said[at] ?? {}
  return { code, stdout: normalise(stdout, namespace), stderr: normalise(stderr, namespace) }
}

async function compare(sequence: Sequence): Promise<string[]> {
  const [theirs, ours] = await Promise.all([askReal(sequence), trySequence(embedded, sequence)])
  return sequence.steps.flatMap(({ command, compared }, at) => {
    if (!compared) return []
    const [our, their] = [stepOf(ours, at), stepOf(theirs, at)]
    const lines = [
      ...(our.code === their.code ? [] : [`  exit code: real ${their.code}, embedded ${our.code}`]),
      ...differ(our.stdout, their.stdout),
      ...differ(our.stderr, their.stderr),
    ]
    return lines.length === 0 ? [] : [`$ ${command}`, ...lines]
  })
}

const waiting = readSequences().filter(({ name }) => words.every((word) => name.includes(word)))
const all = waiting.length
let equal = 0
const work = async () => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const lines = await compare(next)
    if (lines.length === 0) equal += 1
    else console.log([`## ${next.name}`, ...lines, ''].join('\n'))
  }
}
await Promise.all(Array.from({ length: sideBySide }, work))
writeFileSync(recordFile, JSON.stringify(record))
console.log(`${all} sequences, ${equal} equal`)
