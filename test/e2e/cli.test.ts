/** The command line as a person uses it, on an embedded cluster in a process of its own. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { createKube, type KubeClient } from '../../src/adapters/kube/client.ts'
import { loadConfig } from '../../src/adapters/kube/load-config.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import type { ClusterSummary } from '../../src/apps/cli/status/cluster-summary.ts'
import { furnish } from '../cli/furnish.ts'
import { install } from '../cli/install.ts'
import { each } from '../each.ts'
import { type Embedded, startEmbedded } from '../embedded.ts'
import { real, pathOf, skipUnless } from '../real.ts'
import { type Ran, root, run, type RunOptions, withPath } from '../run.ts'
import { startInTerminal } from './terminal.ts'

const main = join(root, 'dist', 'src', 'main.js')

void describe('the command line on an embedded cluster', () => {
  let cluster: Embedded
  let kube: KubeClient

  /** Without the set-up before it, which has its own test. */
  const mbcas = async (args: readonly string[], options: RunOptions = {}): Promise<Ran> =>
    run(process.execPath, [main, ...args], {
      ...options,
      env: { KUBECONFIG: cluster.kubeconfig, ...options.env },
    })
  const lines = async (...args: readonly string[]): Promise<string[]> => {
    const { code, stdout, stderr } = await mbcas(args)
    assert.equal(code, 0, stderr)
    return stdout.trimEnd().split('\n')
  }

  before(async () => {
    cluster = await startEmbedded()
    kube = createKube(await loadConfig({ kubeconfig: cluster.kubeconfig }))
  })
  after(async () => {
    kube.close()
    await cluster.stop()
  })

  void test('without our resource types it says how to get them', async () => {
    for (const args of [['status'], ['top'], ['explain', 'node', 'node-0']]) {
      const { code, stdout, stderr } = await mbcas(args)
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
      assert.match(stderr, /is not installed: kubectl apply -f deploy\/crds$/m)
    }
    const [, , types] = await lines('version', '--server')
    assert.match(types ?? '', /v1alpha1 is not installed: kubectl apply -f deploy\/crds$/)
  })

  void test('before any agent has reported it says what to do', async () => {
    await install(kube)
    assert.match((await lines('status')).join(' '), /^No node has a market yet\./)
    await furnish(kube, systemClock.wall())
  })

  void test('status answers, and its JSON twin says the same', async () => {
    const [headline] = await lines('status')
    assert.equal(headline, '1 of 4 pods suffers; 1 of 3 nodes short of CPU; 1 agent silent')
    const twin = JSON.parse((await lines('status', '-o', 'json')).join('\n')) as ClusterSummary
    assert.deepEqual([twin.sufferingPods, twin.nodes, twin.silentNodes], [1, 3, 1])
    assert.deepEqual(await lines('status', '-o', 'name'), [
      'nodemarket.allocation.mbcas.io/node-2',
      'nodemarket.allocation.mbcas.io/node-1',
      'nodemarket.allocation.mbcas.io/node-0',
    ])
  })

  void test('-l chooses nodes by their labels', async () => {
    const names = await lines('status', '-o', 'name', '-l', 'kubernetes.io/hostname=node-1')
    assert.deepEqual(names, ['nodemarket.allocation.mbcas.io/node-1'])
  })

  void test('-w prints again, and ends with its reader', async () => {
    const command = `"${process.execPath}" "${main}" status -w --interval 500ms -o json | head -n 2`
    const { stdout } = await run('sh', ['-c', command], { env: { KUBECONFIG: cluster.kubeconfig } })
    const twice = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ClusterSummary)
    assert.deepEqual(
      twice.map(({ nodes }) => nodes),
      [3, 3],
    )
  })

  void test('explain takes NAMESPACE/NAME, and NAME with -n', async () => {
    const one = await lines('explain', 'pod', 'shop/worker-0')
    const other = await lines('explain', 'pod', '-n', 'shop', 'worker-0')
    const known = (text: readonly string[]) => text.filter((line) => /^ {2}(needs|why)/.test(line))
    assert.deepEqual(known(one), known(other))
    assert.match(one.join('\n'), /^ {2}means +NodeHeadroom: The requests on the node leave less/m)
  })

  void test('top prints once where there is no terminal', async () => {
    const [, , , titles, first] = await lines('top', 'pods', '-n', 'shop')
    assert.match(titles ?? '', /^POD +NODE +USED/)
    assert.match(first ?? '', /^shop\/web-7d4b9c-x2\S* +node-1/)
  })

  each(
    [
      { name: 'a command with a typing error', args: ['statsu'], says: /Did you mean status\?/ },
      {
        name: 'a flag with a typing error',
        args: ['status', '--contxt', 'x'],
        says: /Did you mean --context\?/,
      },
      {
        name: 'a kind with a typing error',
        args: ['explain', 'pdo', 'x'],
        says: /Did you mean pod\?/,
      },
      {
        name: 'a column with a typing error',
        args: ['top', '--sort', 'pirce'],
        says: /^mbcas: --sort: expected .*; did you mean price\?$/m,
      },
      {
        name: 'a context that is not there',
        args: ['status', '--context', 'x'],
        says: /there is no context "x"/,
      },
      {
        name: 'a format that is not known',
        args: ['status', '-o', 'xml'],
        says: /Allowed choices are table, wide, json, yaml, name/,
      },
      {
        name: 'too short an interval',
        args: ['status', '-w', '--interval', '1ms'],
        says: /--interval: expected a duration/,
      },
      {
        name: 'no kubeconfig',
        args: ['status', '--kubeconfig', '/nowhere'],
        says: /reading \/nowhere: there is no such file/,
      },
    ],
    async ({ args, says }) => {
      const { code, stdout, stderr } = await mbcas(args)
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
      assert.match(stderr, says)
    },
  )

  void test('a cluster that is not there: exit code 2, and why', async () => {
    const wrong = `${cluster.kubeconfig}.wrong`
    const right = readFileSync(cluster.kubeconfig, 'utf8')
    writeFileSync(wrong, right.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:9'))
    const { code, stderr } = await mbcas(['status', '--kubeconfig', wrong])
    assert.equal(code, 2)
    assert.match(stderr, /connection refused: is the API server running\?/)
  })

  void test('colour only where it is wanted', async () => {
    const escape = '\u001B['
    const has = async (env: Readonly<Record<string, string>>): Promise<boolean> =>
      (await mbcas(['status'], { env })).stdout.includes(escape)
    assert.deepEqual(
      [
        await has({ NO_COLOR: '', FORCE_COLOR: '' }),
        await has({ NO_COLOR: '', FORCE_COLOR: '1' }),
        await has({ NO_COLOR: '1', FORCE_COLOR: '1' }),
      ],
      [false, true, false],
    )
  })

  void describe('top in a terminal', () => {
    const start = () =>
      startInTerminal([process.execPath, main, 'top'], { KUBECONFIG: cluster.kubeconfig })
    const entered = '\u001B[?1049h'
    const left = '\u001B[?1049l'

    void test('follows keys and sizes, and leaves the terminal as it was', async () => {
      const top = start()
      await top.until(/node-1 .*1\/2/)
      assert.ok(top.written().includes(entered))
      top.press('j')
      await top.until(/node-1/)
      top.press('\\r')
      await top.until(/shop\/worker-0 +\d+m/)
      top.press('\\r')
      await top.until(/ has .*app: request/s)
      top.press('?')
      await top.until(/Any key goes back/)
      top.press('\\x1b')
      await top.until(/ has /)
      top.resize(40, 120)
      await top.until(/\[H[^]*node-1/)
      top.press('q')
      assert.deepEqual(await top.ended, { code: 0, isRestored: true })
      assert.ok(top.written().includes(left))
    })

    for (const [signal, number] of [
      ['SIGTERM', 15],
      ['SIGHUP', 1],
      ['SIGINT', 2],
    ] as const) {
      void test(`${signal} ends it, and leaves the terminal as it was`, async () => {
        const top = start()
        await top.until(/node-1 /)
        top.kill(signal)
        assert.deepEqual(await top.ended, { code: -number, isRestored: true })
        assert.ok(top.written().includes(left))
      })
    }

    void test('an error is told on the usual screen', async () => {
      const top = startInTerminal([process.execPath, main, 'top', '--sort', 'x'], {
        KUBECONFIG: cluster.kubeconfig,
      })
      assert.deepEqual(await top.ended, { code: 2, isRestored: true })
      assert.match(top.written().split(left).at(-1) ?? '', /mbcas: --sort: expected/)
    })
  })

  void describe('as a plugin of kubectl', { skip: skipUnless(real.kubernetes) }, () => {
    const kubectl = async (...args: string[]): Promise<Ran> =>
      run(join(pathOf(real.kubernetes), 'kubectl'), args, {
        env: { KUBECONFIG: cluster.kubeconfig, ...withPath(join(root, 'bin')) },
      })

    void test('kubectl mbcas status', async () => {
      const { code, stdout, stderr } = await kubectl('mbcas', 'status')
      assert.equal(code, 0, stderr)
      assert.match(stdout, /^1 of 4 pods suffer/)
    })

    void test('kubectl completes its commands', async () => {
      const { stdout } = await kubectl('__complete', 'mbcas', 'expl')
      assert.match(stdout, /^explain\tSay why something is as it is\n:4$/m)
    })
  })
})
