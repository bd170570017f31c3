/**
 * Sequences of kubectl commands as text, which is how a person would try them:
 *
 *     ## a sentence that names the sequence
 *     $ kubectl get pods          compared
 *     % kubectl wait ...          run, but not compared
 *
 * A line that starts with none of these belongs to the command before it (a here document). A command
 * is run by sh with NS, NODE and IMAGE set; `kubectl` there has the server and the namespace already.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { root } from '../run.ts'

export type Step = { readonly command: string; readonly compared: boolean }
export type Sequence = { readonly name: string; readonly steps: readonly Step[] }

export const folder = join(root, 'test', 'parity')

export function readSequences(): readonly Sequence[] {
  const from = join(folder, 'sequences')
  return readdirSync(from)
    .toSorted()
    .flatMap((file) =>
      parseSequences(file.replace('.txt', ''), readFileSync(join(from, file), 'utf8')),
    )
}

/** Which sequences name as files. */
export const readManifests = (): readonly string[] =>
  readdirSync(join(folder, 'manifests'))
    .toSorted()
    .map((file) => readFileSync(join(folder, 'manifests', file), 'utf8'))

function parseSequences(group: string, text: string): Sequence[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [name = '', ...lines] = part.split('\n')
      return { name: `${group}: ${name}`, steps: parseSteps(lines.join('\n')) }
    })
}

const parseSteps = (text: string): Step[] =>
  [...text.matchAll(/^([$%]) (.*(?:\n(?![$%] ).*)*)/gm)].map(([, mark, command = '']) => ({
    command: command.trimEnd(),
    compared: mark === '$',
  }))
