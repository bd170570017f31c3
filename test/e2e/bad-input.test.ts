/** What hostile or broken files do to the command line: exit code 2, a few lines, never a stack trace. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { each } from '../each.ts'
import { root, run, type Ran } from '../run.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-bad-'))
after(() => rmSync(folder, { recursive: true }))

const save = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** As `bin/mbcas` starts it, without the set-up before it. */
const mbcas = async (args: readonly string[], input = ''): Promise<Ran> =>
  run(process.execPath, [join(root, 'dist', 'src', 'main.js'), ...args], { input })

async function complaint(args: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await mbcas(args, input)
  assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, stderr.slice(0, 2000))
  assert.doesNotMatch(stderr, /^\s+at |this is a bug/m)
  assert.ok(stderr.length < 10_000, `${stderr.length} characters`)
  return stderr
}

const topology = ['--topology', join(root, 'examples/cpu/two-sockets.json')]
const bid = { id: 'a', floor: 1, need: 1, ceiling: 1, weight: 1 }
const market = (given: object): string =>
  JSON.stringify({ capacity: 1, bids: [{ ...bid, ...given }] })
const scenario = (text: string): string[] => {
  const name = `${text.replace(/\W+/g, '-').slice(0, 40)}.yaml`
  return ['simulate', '-f', save(name, `duration: 1m\n${text}\n`)]
}
const pipe = join(folder, 'pipe')
execFileSync('mkfifo', [pipe])
symlinkSync(save('victim', 'mine'), join(folder, 'link'))
const host = (name: string, text: string): string[] =>
  ['agent', '--host', '--config', save(name, text)].concat([
    '--state',
    join(folder, 'state'),
    '--cgroup-mount',
    folder,
  ])

void describe('bad input', { concurrency: 4 }, () => {
  each(
    [
      {
        name: 'lists in lists',
        args: ['cpu', 'plan', ...topology, '-f', '-'],
        input: '['.repeat(200_000),
        says: /^mbcas: reading standard input: expected at most 100 levels of nesting, got more$/m,
      },
      {
        name: 'Lists of Pods in Lists',
        args: ['cpu', 'plan', ...topology, '-f', '-'],
        input: '{"kind":"List","items":['.repeat(20_000),
        says: /100 levels of nesting/,
      },
      {
        name: 'CPUs beyond counting',
        args: scenario('nodes: [{cpus: 1e15}]'),
        says: /nodes-cpus-1e15-.yaml: node 1: expected cpus to be a whole number from 1 to 1024, got 1000000000000000$/m,
      },
      {
        name: 'a seed beyond counting',
        args: scenario('seed: 1e20'),
        says: /: expected seed to be a whole number from 0 to 2147483648, got 100000000000000000000$/m,
      },
      {
        name: 'replicas that never end',
        args: scenario('workloads: [{name: a, replicas: 1e9}]'),
        says: /: workload 1: expected replicas to be a whole number from 0 to 20000, got 1000000000$/m,
      },
      {
        name: 'replicas that never end in all',
        args: scenario(
          `workloads: [${['a', 'b', 'c'].map((name) => `{name: ${name}, replicas: 9000}`).join()}]`,
        ),
        says: /: workloads: expected at most 20000 replicas in all, got 27000$/m,
      },
      {
        name: 'a year of thousands of pods',
        args: [...scenario('workloads: [{name: a, replicas: 5000}]'), '--duration', '8000h'],
        says: /expected at most 100000000 pods times seconds, got 5000 pods for 28800000 s: give a shorter --duration, or fewer replicas$/m,
      },
      {
        name: 'a workload with a name that every object has',
        args: scenario(
          'workloads: [{name: constructor, slo: {p99: 1s}}]\nphases: [{name: p, at: 1s}]',
        ),
        says: /workload constructor: expected slo on a load of requests/,
      },
      {
        name: 'a key twice in JSON',
        args: ['market', 'clear'],
        input: '{"capacity": 1, "bids": [], "capacity": 2}',
        says: /^mbcas: reading standard input: expected each key once, got capacity twice$/m,
      },
      {
        name: 'a device that never ends',
        args: ['market', 'clear', '-f', '/dev/zero'],
        says: /^mbcas: reading \/dev\/zero: expected at most 67108864 bytes, got more$/m,
      },
      {
        name: 'a pipe that nobody writes to',
        args: ['market', 'clear', '-f', pipe],
        says: /pipe: it is a pipe, and nobody wrote to it within 5 s$/m,
      },
      {
        name: 'megabytes as a name',
        args: ['market', 'clear'],
        input: market({ id: 'x'.repeat(5 << 20), floor: '?' }),
        says: /bid "x{60}\.\.\. \(5242880 characters\)": floor: /,
      },
      {
        name: 'megabytes as a key',
        args: ['market', 'clear'],
        input: market({ ['k'.repeat(5 << 20)]: 1 }),
        says: /unknown key "k{60}\.\.\. \(5242880 characters\)"; known are id/,
      },
      {
        name: 'megabytes as a value',
        args: ['market', 'clear'],
        input: market({ weight: 'v'.repeat(5 << 20) }),
        says: /expected weight to be a number, got "v+\.\.\. \(5242882 characters\)$/m,
      },
      {
        name: 'a hundred thousand faults',
        args: ['market', 'clear'],
        input: JSON.stringify({ capacity: 1, bids: Array(100_000).fill(1) }),
        says: /^mbcas: standard input: bid 1: expected an object .*, got 1\n$/,
      },
      {
        name: 'groups without number',
        args: host(
          'many.yaml',
          `groups:\n${Array.from({ length: 100_000 }, (_, i) => `- path: a${i}\n  floor: 10m`).join('\n')}\n`,
        ),
        says: /reading .*many.yaml: expected at most 262144 bytes, got \d+$/m,
      },
      {
        name: 'a thousand groups and one',
        args: host(
          'few.yaml',
          `groups:\n${Array.from({ length: 1001 }, (_, i) => `- path: a${i}\n  floor: 10m`).join('\n')}\n`,
        ),
        says: /few.yaml: expected groups to be a list of at most 1000 groups, got a list$/m,
      },
      {
        name: 'a fault in a group, with its file',
        args: host('one.yaml', 'groups:\n- path: a\n  flor: 1m\n'),
        says: /^mbcas: .*one.yaml: group 1: unknown key "flor"; did you mean "floor"\?$/m,
      },
      {
        name: 'a link as a report',
        args: [
          'simulate',
          '-f',
          'noisy-neighbour',
          '--duration',
          '3m',
          '--compare',
          'static',
          '-o',
          'json',
          '--out',
          join(folder, 'link'),
        ],
        says: /--out .*link: it is a symbolic link; name the file that it leads to, or remove it/,
      },
      {
        name: 'a device as the state of a host agent, with one remedy',
        args: ['agent', '--host', '--restore', '--state', '/dev/null'],
        says: /^mbcas: reading \/dev\/null: it is no regular file; name another\s*$/,
      },
      {
        name: 'and a folder',
        args: ['agent', '--host', '--restore', '--state', '/tmp'],
        says: /^mbcas: reading \/tmp: it is a folder; name a file in it\s*$/,
      },
      {
        name: 'a state of an agent on a node, which keeps none',
        args: ['agent', '--node', 'n', '--state', join(folder, 'state')],
        says: /^mbcas: --state: expected --host with it: an agent on a node keeps no state\s*$/,
      },
    ],
    async ({ args, input, says }) => assert.match(await complaint(args, input), says),
  )
})

void describe('text of others on the terminal', { concurrency: 4 }, () => {
  const evil = 'a\u001B[2J\u009B31m\u202Eb\nmbcas: all is well'
  const shown = 'a\\x1b[2J\\x9b31m\\u202eb\\nmbcas: all is well'

  void test('bid ids in a table and in reasons are shown, not done', async () => {
    const { code, stdout } = await mbcas(['market', 'clear'], market({ id: evil }))
    assert.equal(code, 0)
    const rows = stdout.split('\n').filter((line) => line.includes(shown))
    assert.equal(rows.length, 2, stdout) // in the table, and with its reason
    // eslint-disable-next-line no-control-regex -- they are what it is about
    assert.doesNotMatch(stdout, /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/)
  })

  for (const output of ['json', 'yaml']) {
    void test(`and escaped as ${output}`, async () => {
      const { stdout } = await mbcas(['market', 'clear', '-o', output], market({ id: evil }))
      // eslint-disable-next-line no-control-regex -- they are what it is about
      assert.doesNotMatch(stdout, /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/)
      assert.match(stdout, /a\\(u001b|e)\[2J\\u009b31m\\u202eb/)
    })
  }

  each(
    [
      { name: 'an unknown key', args: ['market', 'clear'], input: market({ [evil]: 1 }) },
      { name: 'the name of a file', args: ['market', 'clear', '-f', evil] },
      { name: 'a flag', args: [`--${evil}`] },
      { name: 'a value of a flag', args: ['market', 'clear', '--mechanism', evil] },
      { name: 'a value', args: ['market', 'clear'], input: market({ weight: evil }) },
      { name: 'what is no YAML', args: ['market', 'clear'], input: 'a: b: \u001B[2J\u202E' },
    ],
    async ({ args, input }) => {
      const said = await complaint(args, input)
      assert.match(said, /\\x1b\[2J/)
      // eslint-disable-next-line no-control-regex -- they are what it is about
      assert.doesNotMatch(said, /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/)
    },
  )
})
