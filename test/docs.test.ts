/**
 * The documentation is tested: what its console blocks show is run and compared, and what it points
 * to is there.
 *
 *   $ command        run by sh from the root of the repository, with bin/ first on the PATH; a
 *                    trailing backslash continues it; it must end with 0; /tmp is a folder of its own
 *   lines after it   its standard output, exactly; `...` stands for any lines, none too;
 *                    no lines at all: anything may be printed; ages such as `12s ago` may differ
 *
 * A block of ```console cluster has a cluster to talk to, with what `test/cli/furnish.ts` puts there.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { after, describe, test } from 'node:test'

import { startFurnished } from './cli/start-furnished.ts'
import { each } from './each.ts'
import type { Embedded } from './embedded.ts'
import { root, run, withPath } from './run.ts'

/** They run elsewhere, in tests of their own; in some of them, this test. */
const notRunHere = /^npm (start|test|run (-s |--silent )?(check|bench|real:setup))\b/

type Document = { readonly path: string; readonly text: string }
type Command = { readonly line: number; readonly command: string; readonly output: string[] }
type Block = { readonly commands: Command[]; readonly hasCluster: boolean }

const documents = markdownBelow(root)

function markdownBelow(folder: string): Document[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !['node_modules', 'dist', '.git'].includes(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return markdownBelow(path)
      if (!entry.name.endsWith('.md')) return []
      return [{ path: relative(root, path), text: readFileSync(path, 'utf8') }]
    })
}

/** The commands of each console block, with the numbers of their lines. */
function consoleBlocks(markdown: string): Block[] {
  const blocks: Block[] = []
  let block: Command[] | undefined
  let fence: string | undefined
  let continued = false
  for (const [i, line] of markdown.split(/\r?\n/).entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})\s*(\w*)( cluster)?/.exec(line)
    if (fence === undefined && mark) {
      fence = mark[1] ?? ''
      block = mark[2] === 'console' ? [] : undefined
      if (block) blocks.push({ commands: block, hasCluster: mark[3] !== undefined })
    } else if (fence !== undefined && line.trim() === fence) fence = block = undefined
    else if (block) {
      const last = block.at(-1)
      if (continued && last)
        block[block.length - 1] = { ...last, command: `${last.command}\n${line}` }
      else if (line.startsWith('$ '))
        block.push({ line: i + 1, command: line.slice(2), output: [] })
      else if (last) last.output.push(line)
      else
        throw new Error(`line ${i + 1}: expected a console block to begin with a command, "$ ..."`)
      continued = line.endsWith('\\') && (continued || line.startsWith('$ '))
    }
  }
  return blocks
}

/** How long ago it was is not the same every time. */
const ageless = (line: string): string =>
  line
    .replaceAll(/\b\d+[smhd] ago */g, 'a while ago ')
    .replaceAll(/\b(silent|Running for) \d+[smhd]\b/g, '$1 a while')

/** Whether the lines are those expected, where `...` stands for any. */
function matches(expected: readonly string[], lines: readonly string[]): boolean {
  const [first, ...rest] = expected
  if (first === undefined) return lines.length === 0
  if (first !== '...') return lines[0] === first && matches(rest, lines.slice(1))
  for (let skipped = 0; skipped <= lines.length; skipped++) {
    if (matches(rest, lines.slice(skipped))) return true
  }
  return false
}

/** Instead of /tmp, so that two runs of this test at once do not write each other's files. */
const scratch = mkdtempSync(join(tmpdir(), 'mbcas-docs-'))
after(() => rmSync(scratch, { recursive: true }))

/** Started when a block first needs it. */
let furnished: Promise<Embedded> | undefined
after(async () => (await furnished)?.stop())

async function kubeconfigFor({ hasCluster }: Block): Promise<string> {
  if (!hasCluster) return ''
  furnished ??= startFurnished()
  return (await furnished).kubeconfig
}

async function assertShown(shown: Command, path: string, kubeconfig = ''): Promise<void> {
  const { line, output, command } = {
    ...shown,
    command: shown.command.replaceAll('/tmp/', `${scratch}/`),
    output: shown.output.map((text) => ageless(text.replaceAll('/tmp/', `${scratch}/`))),
  }
  const ran = await run('sh', ['-c', command], {
    env: { ...withPath(join(root, 'bin')), ...(kubeconfig !== '' && { KUBECONFIG: kubeconfig }) },
  })
  const where = `${path}:${line}: $ ${command}`
  assert.equal(ran.code, 0, `${where}\nended with ${ran.code}\n${ran.stdout}${ran.stderr}`)
  if (output.length === 0) return
  const lines = ran.stdout.replace(/\n$/, '').split('\n').map(ageless)
  if (matches(output, lines)) return
  // Shown as a difference; `...` was tried above.
  assert.deepEqual(
    lines,
    output,
    `${where}\nprinted\n${ran.stdout}instead of\n${output.join('\n')}`,
  )
  assert.fail(where)
}

/** Without what stands in code, where brackets mean other things. */
const prose = (markdown: string): string =>
  markdown
    .replaceAll(/^ {0,3}(`{3,}|~{3,})[\s\S]*?^ {0,3}\1\s*$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '')

function linksIn(markdown: string): string[] {
  const text = prose(markdown)
  const inline = text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)
  const references = text.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)
  return [...inline, ...references]
    .map((match) => match[1] ?? '')
    .filter((target) => !/^[a-z]+:/i.test(target))
}

/** As GitHub makes them of headings. */
const anchorsIn = (markdown: string): string[] =>
  [...markdown.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** What is wrong with a link; nothing, if it leads somewhere. */
function faultOf(link: string, from: Document): string[] {
  const [target = '', anchor] = decodeURI(link).split('#')
  const path = join(dirname(from.path), target)
  if (target !== '' && !existsSync(join(root, path))) return [`${from.path}: ${link}: no such file`]
  if (anchor === undefined || (target !== '' && !target.endsWith('.md'))) return []
  const anchors = anchorsIn(target === '' ? from.text : readFileSync(join(root, path), 'utf8'))
  return anchors.includes(anchor) ? [] : [`${from.path}: ${link}: no such heading`]
}

const scriptsIn = (markdown: string): string[] => {
  const named = markdown.matchAll(/\bnpm run (?:-s |--silent )?([a-z][\w:-]*)/g)
  const short = markdown.matchAll(/\bnpm (start|test)\b/g)
  return [...named, ...short].map((match) => match[1] ?? '')
}

const packageScripts = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
).scripts

void describe('documentation: what is shown is what is printed', { concurrency: true }, () => {
  for (const { path, text } of documents) {
    const blocks = consoleBlocks(text).map((block) =>
      Object.assign(block, { name: `${path}:${block.commands[0]?.line}` }),
    )
    if (blocks.length === 0) continue
    void describe(path, () => {
      each(blocks, async (block) => {
        const kubeconfig = await kubeconfigFor(block)
        for (const command of block.commands) {
          if (!notRunHere.test(command.command)) await assertShown(command, path, kubeconfig)
        }
      })
    })
  }
})

void describe('documentation: what is pointed to is there', () => {
  void test('every relative link', () => {
    const faults = documents.flatMap((from) =>
      linksIn(from.text).flatMap((link) => faultOf(link, from)),
    )
    assert.deepEqual(faults, [])
  })

  void test('every source file that ARCHITECTURE.md names with its folder', () => {
    const { text } = documents.find(({ path }) => path === 'ARCHITECTURE.md') ?? { text: '' }
    const named = Array.from(
      text.matchAll(/`([\w-]+(?:\/[\w.-]+)+\.(?:ts|mjs))`/g),
      ([, path = '']) => path,
    )
    assert.ok(named.length > 20)
    const isThere = (path: string): boolean =>
      [path, join('src', path)].some((place) => existsSync(join(root, place)))
    assert.deepEqual(
      named.filter((path) => !isThere(path)),
      [],
    )
  })

  void test('every npm script', () => {
    const unknown = documents.flatMap(({ path, text }) =>
      scriptsIn(text)
        .filter((name) => !(name in packageScripts))
        .map((name) => `${path}: npm run ${name}`),
    )
    assert.deepEqual(unknown, [])
  })
})

void describe('documentation: this test sees what is wrong', () => {
  const block = (...lines: string[]): string => ['```console', ...lines, '```'].join('\n')
  each(
    [
      { name: 'the same output', text: block('$ echo one', 'one'), fails: false },
      { name: 'no output is not compared', text: block('$ echo one'), fails: false },
      { name: 'another output', text: block('$ echo one', 'two'), fails: true },
      { name: 'a line too many', text: block('$ echo one', 'one', 'two'), fails: true },
      { name: 'a line too few', text: block("$ printf '1\\n2\\n'", '1'), fails: true },
      { name: 'a space more', text: block('$ echo one', 'one '), fails: true },
      { name: 'an exit code', text: block('$ echo one; exit 3', 'one'), fails: true },
      { name: 'an exit code without output', text: block('$ false'), fails: true },
      { name: 'an exit code that is told', text: block('$ false; echo $?', '1'), fails: false },
      { name: 'any lines in between', text: block('$ seq 9', '1', '...', '8', '9'), fails: false },
      { name: 'any lines twice', text: block('$ seq 9', '...', '4', '...', '9'), fails: false },
      {
        name: 'any lines, and there are none',
        text: block('$ seq 2', '1', '...', '2'),
        fails: false,
      },
      { name: 'any lines, and another then', text: block('$ seq 9', '1', '...', '7'), fails: true },
      { name: 'a second command', text: block('$ echo 1', '1', '$ echo 2', '3'), fails: true },
      { name: 'a second block', text: `${block('$ true')}\n\n${block('$ false')}`, fails: true },
      {
        name: 'a continued command',
        text: block('$ echo one \\', '  two', 'one two'),
        fails: false,
      },
      {
        name: 'another age',
        text: block("$ echo '1m ago  a, silent 2h'", '12s ago a, silent 20m'),
        fails: false,
      },
      { name: 'an amount is no age', text: block('$ echo 12m', '13m'), fails: true },
      { name: 'bin/ is on the PATH', text: block('$ command -v mbcas | wc -l', '1'), fails: false },
      { name: 'other blocks are not run', text: '```sh\n$ false\n```', fails: false },
    ],
    async ({ text, fails }) => {
      const attempt = async (): Promise<void> => {
        const commands = consoleBlocks(text).flatMap((one) => one.commands)
        for (const command of commands) await assertShown(command, 'planted.md')
      }
      await (fails ? assert.rejects(attempt, /planted\.md:/) : attempt())
    },
  )

  void test('a block with a cluster is told from one without', () => {
    const text = ['```console cluster', '$ true', '```', '```console', '$ true', '```'].join('\n')
    assert.deepEqual(
      consoleBlocks(text).map(({ hasCluster }) => hasCluster),
      [true, false],
    )
  })

  void test('a block that does not begin with a command', () => {
    assert.throws(() => consoleBlocks(block('mbcas --version')), /line 2: expected a console block/)
  })

  void test('links to nowhere', () => {
    const text = [
      '# Here',
      '[a](nowhere.md) [b](README.md) [c](https://mbcas.io) [d](#here) [e](#there) ![f](no.svg)',
      '`[g](code.md)`',
      '[h]: gone.md',
      '```',
      '[i](code.md)',
      '```',
    ].join('\n')
    const from = { path: 'planted.md', text }
    assert.deepEqual(
      linksIn(text)
        .flatMap((link) => faultOf(link, from))
        .map((fault) => fault.slice('planted.md: '.length)),
      [
        'nowhere.md: no such file',
        '#there: no such heading',
        'no.svg: no such file',
        'gone.md: no such file',
      ],
    )
  })

  void test('scripts by every way of naming them', () => {
    const text = '`npm start`, npm test; `npm run check`, npm run -s real:setup. npm install'
    assert.deepEqual(scriptsIn(text), ['check', 'real:setup', 'start', 'test'])
  })
})
