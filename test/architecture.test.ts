/** Holds the one rule of ARCHITECTURE.md: imports point left and up, and core is pure. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { describe, test } from 'node:test'

import { each } from './each.ts'

type Rule = { readonly room: string; readonly may: readonly string[] }

/** `node:` and `npm` stand for built-in modules and packages; a package can be named. */
const rules: readonly Rule[] = [
  { room: 'src/core/', may: ['src/core/'] },
  { room: 'src/apis/', may: ['src/apis/', 'src/core/', 'valibot'] },
  { room: 'src/ports/', may: ['src/ports/', 'src/core/', 'src/apis/'] },
  { room: 'src/runtime/', may: ['src/runtime/', 'src/core/', 'src/apis/', 'src/ports/', 'node:'] },
  {
    room: 'src/adapters/',
    may: ['src/adapters/', 'src/core/', 'src/apis/', 'src/ports/', 'node:', 'npm'],
  },
  {
    room: 'src/sim/',
    may: [
      'src/sim/',
      'src/core/',
      'src/apis/',
      'src/ports/',
      'src/runtime/http-server',
      'src/adapters/bounded-yaml', // one reader of YAML for files and for requests
      'node:',
      'npm',
    ],
  },
  // The page: of the platform it has the contract and what is pure.
  { room: 'web/', may: ['web/', 'src/apis/', 'src/core/', 'preact', 'uplot'] },
]
const everyApp = ['src/core/', 'src/apis/', 'src/ports/', 'src/runtime/']
/** What one of them may import besides. */
const more: Readonly<Record<string, readonly string[]>> = { 'src/apps/cli/': ['commander'] }

/** What would make a result of core depend on more than its arguments. */
const impure =
  /\b(Date\.now|new Date\(\)|Math\.random|performance|process|console|globalThis|setTimeout|setInterval|fetch)\b/

function mayImport(file: string): readonly string[] | 'anything' {
  if (file.endsWith('/main.ts')) return 'anything'
  const app = /^src\/apps\/[^/]+\//.exec(file)?.[0]
  if (app !== undefined) return [app, ...everyApp, ...(more[app] ?? [])]
  return rules.find(({ room }) => file.startsWith(room))?.may ?? []
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(importPattern)].map(([, from, dynamic, bare]) => {
    const specifier = from ?? dynamic ?? bare ?? ''
    if (!specifier.startsWith('.')) return specifier
    return normalize(join(dirname(file), specifier))
      .split(sep)
      .join('/')
  })
}

const isAllowed = (target: string, may: readonly string[]): boolean =>
  may.some((prefix) => {
    if (prefix === 'npm') return !target.startsWith('src/') && !target.startsWith('node:')
    return prefix.endsWith('/') || prefix.endsWith(':')
      ? target.startsWith(prefix)
      : matches(target, prefix)
  })

const matches = (target: string, name: string): boolean =>
  target === name || target.startsWith(`${name}/`) || target.startsWith(`${name}.`)

export function violations(files: ReadonlyMap<string, string>): string[] {
  const found: string[] = []
  for (const [file, text] of files) {
    const may = mayImport(file)
    if (may !== 'anything') {
      for (const target of importsOf(file, text)) {
        if (!isAllowed(target, may)) found.push(`${file} imports ${target}`)
      }
    }
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    const word = file.startsWith('src/core/') ? impure.exec(code)?.[0] : undefined
    if (word !== undefined) found.push(`${file} uses ${word}`)
  }
  return found
}

const sources = (): Map<string, string> =>
  new Map(
    ['src', 'web']
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
          join(folder, name).split(sep).join('/'),
        ),
      )
      .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
      .map((file) => [file, readFileSync(file, 'utf8')]),
  )

void describe('architecture', () => {
  void test('every import follows the rule, and core is pure', () => {
    assert.deepEqual(violations(sources()), [])
  })

  each(
    [
      {
        name: 'core that imports a built-in',
        file: 'src/core/x.ts',
        text: "import fs from 'node:fs'",
      },
      {
        name: 'core that imports a package',
        file: 'src/core/x.ts',
        text: "import { parse } from 'yaml'",
      },
      {
        name: 'core that imports apis',
        file: 'src/core/m/x.ts',
        text: "import type { A } from '../../apis/a.ts'",
      },
      { name: 'core that re-exports', file: 'src/core/x.ts', text: "export * from '../apis/a.ts'" },
      {
        name: 'core that reads the clock',
        file: 'src/core/x.ts',
        text: 'export const now = () => Date.now()',
      },
      { name: 'core that rolls dice', file: 'src/core/x.ts', text: 'const a = Math.random()' },
      { name: 'apis that imports another package', file: 'src/apis/x.ts', text: "import 'zod'" },
      {
        name: 'ports that imports a built-in',
        file: 'src/ports/x.ts',
        text: "import net from 'node:net'",
      },
      {
        name: 'runtime that imports a package',
        file: 'src/runtime/x.ts',
        text: "await import('undici')",
      },
      {
        name: 'adapters that imports runtime',
        file: 'src/adapters/x.ts',
        text: "import { a } from '../runtime/a.ts'",
      },
      {
        name: 'sim that imports an informer',
        file: 'src/sim/x.ts',
        text: "import { a } from '../runtime/informer.ts'",
      },
      {
        name: 'an app that imports another',
        file: 'src/apps/a/x.ts',
        text: "import { b } from '../b/y.ts'",
      },
      {
        name: 'an app that imports an adapter',
        file: 'src/apps/a/x.ts',
        text: "import {\n  b,\n} from '../../adapters/y.ts'",
      },
      {
        name: 'an app other than the command line that declares commands',
        file: 'src/apps/a/x.ts',
        text: "import { Command } from 'commander'",
      },
      {
        name: 'a file outside every room',
        file: 'src/helpers/x.ts',
        text: "import { a } from '../core/a.ts'",
      },
    ],
    ({ file, text }) => assert.equal(violations(new Map([[file, text]])).length, 1),
  )

  each(
    [
      {
        name: 'a main may join the halves',
        file: 'src/apps/a/main.ts',
        text: "import '../../adapters/y.ts'",
      },
      {
        name: 'sim may serve with the HTTP server',
        file: 'src/sim/x.ts',
        text: "import '../runtime/http-server.ts'",
      },
      {
        name: 'apis may use the schema library',
        file: 'src/apis/x.ts',
        text: "import * as v from 'valibot'",
      },
      {
        name: 'the command line may declare commands',
        file: 'src/apps/cli/commands/x.ts',
        text: "import { Command } from 'commander'",
      },
      {
        name: 'a comment is not code',
        file: 'src/core/x.ts',
        text: '// no Math.random here\nexport {}',
      },
    ],
    ({ file, text }) => assert.deepEqual(violations(new Map([[file, text]])), []),
  )
})
