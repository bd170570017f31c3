/** What a person gets wrong about `mbcas cluster`: exit code 2, and what is wrong in words. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { each } from '../each.ts'
import { run } from '../run.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-refusals-'))
after(() => rmSync(folder, { recursive: true }))

const save = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const brief = ['--nodes', '1', '--speed', 'max', '--duration', '10s']
/** Of a run that ends by itself, should nothing be wrong. */
const cluster = async (...flags: readonly string[]) =>
  run(process.execPath, ['dist/src/main.js', 'cluster', ...brief, ...flags])

async function complaint(flags: readonly string[]): Promise<string> {
  const { code, stderr } = await cluster(...flags)
  assert.equal(code, 2, stderr)
  assert.doesNotMatch(stderr, /^\s+at |this is a bug/m)
  return stderr
}

void describe('mbcas cluster refuses a flag', { concurrency: 4 }, () => {
  each(
    [
      { name: 'no nodes', flags: ['--nodes', '0'], says: /--nodes.*'0'.*from 1 to 3000/ },
      { name: 'nodes in words', flags: ['--nodes', 'three'], says: /--nodes.*'three'.*whole/ },
      { name: 'parts of a CPU', flags: ['--cpus', '1.5'], says: /--cpus.*'1.5'.*whole number/ },
      { name: 'a port too high', flags: ['--port', '70000'], says: /--port.*'70000'.*65535/ },
      { name: 'a speed of 0', flags: ['--speed', '0'], says: /--speed.*'0'.*max, or a number/ },
      { name: 'a seed below 0', flags: ['--seed', '-1'], says: /--seed.*'-1'.*from 0/ },
      { name: 'no unit', flags: ['--duration', '5'], says: /--duration: expected.*250ms.*got "5"/ },
      { name: 'a flag mistyped', flags: ['--nodez', '3'], says: /--nodez.*\n.*--nodes/ },
      { name: 'what is no flag', flags: ['start'], says: /Expected 0 arguments but got 1/ },
      {
        name: 'events into a folder',
        flags: ['--events', folder],
        says: /--events .*: it is a folder; name a file in it/,
      },
      {
        name: 'a folder',
        flags: ['--kubeconfig', folder],
        says: /--kubeconfig .*: it is a folder; name a file in it/,
      },
      {
        name: 'a scenario that is not there',
        flags: ['--scenario', '/none.yaml'],
        says: /reading \/none\.yaml: there is no such file/,
      },
    ],
    async ({ flags, says }) => assert.match(await complaint(flags), says),
  )

  void test('a link as kubeconfig, and leaves what it leads to', async () => {
    // Of an earlier cluster of ours, so that only the link is wrong.
    const mark = '# Written by `mbcas cluster`; it is overwritten when that starts again.'
    const victim = save('victim', mark)
    const link = join(folder, 'link')
    symlinkSync(victim, link)
    assert.match(
      await complaint(['--kubeconfig', link]),
      /--kubeconfig .*link: it is a symbolic link; name the file that it leads to, or remove it/,
    )
    assert.equal(readFileSync(victim, 'utf8'), mark)
  })

  void test("somebody's own kubeconfig, and leaves it as it was", async () => {
    const path = save('own', 'apiVersion: v1\nkind: Config\n')
    assert.match(
      await complaint(['--kubeconfig', path]),
      /--kubeconfig: expected a new file, or one that mbcas cluster wrote, got \/.*: give another/,
    )
    assert.equal(readFileSync(path, 'utf8'), 'apiVersion: v1\nkind: Config\n')
  })

  void test('a port that is in use', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    try {
      const said = await complaint(['--port', String(port)])
      assert.match(said, new RegExp(`--port: .*EADDRINUSE.*127\\.0\\.0\\.1:${port}`))
    } finally {
      server.close()
    }
  })
})

void describe('mbcas cluster refuses a scenario with', { concurrency: 4 }, () => {
  const pod = (spec: string) =>
    `steps: [{ at: 1s, apply: [{ apiVersion: v1, kind: Pod, metadata: { name: x }, spec: ${spec} }] }]`
  each(
    [
      { name: 'nothing in it', text: '', says: /expected a document, got nothing/ },
      { name: 'half a list', text: 'steps: [', says: /reading \/.*line \d/ },
      { name: 'a mistyped key', text: 'stepz: []', says: /"stepz"; did you mean "steps"\?/ },
      {
        name: 'a mistyped key of a step',
        text: 'steps: [{ at: 1s, loseNode: [node-0] }]',
        says: /step 1: unknown key "loseNode"; did you mean "loseNodes"\?/,
      },
      {
        name: 'a fault that is none',
        text: 'steps: [{ at: 1s, faults: [{ kind: slw }] }]',
        says: /expected kind to be one of error, .* got "slw"/,
      },
      {
        name: 'memory that is no quantity',
        text: 'nodes: [{ memory: lots }]',
        says: /node 1: expected memory to be a quantity such as 16Gi, got "lots"/,
      },
      {
        name: 'a node name that Kubernetes refuses',
        text: 'nodes: [{ name: Bad_Name }]',
        says: /nodes: Node "Bad_Name-0" is invalid: metadata\.name/,
      },
      { name: 'a node name twice', text: 'nodes: [{}, {}]', says: /nodes: .* got node-0 twice/ },
      {
        name: 'a node that is not there',
        text: 'steps: [{ at: 1s }, { at: 2s, loseNodes: [node-00] }]',
        says: /scenario: step 2: expected a node .* got node-00; did you mean node-0\?/,
      },
      {
        name: 'a kind that is not served',
        text: 'steps: [{ at: 1s, apply: [{ apiVersion: v1, kind: Pood, metadata: { name: x } }] }]',
        says: /scenario: step 1: expected a kind that is served, got v1 Pood/,
      },
      {
        name: 'an object that is refused',
        text: pod('{ containers: [] }'),
        says: /scenario: step 1: Pod "x" is invalid: spec\.containers: Required value/,
      },
      {
        name: 'the deletion of what is not there',
        text: 'steps: [{ at: 1s, delete: [{ apiVersion: v1, kind: Pod, metadata: { name: x } }] }]',
        says: /scenario: step 1: pods "x" not found/,
      },
    ],
    async ({ name, text, says }) => {
      const path = save(`${name.replaceAll(' ', '-')}.yaml`, text)
      assert.match(await complaint(['--scenario', path]), says)
    },
  )
})
