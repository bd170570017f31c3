/** `mbcas demo` as a person starts it: a page, a cluster for kubectl, and an orderly end. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { createKube, type KubeClient } from '../../src/adapters/kube/client.ts'
import { loadConfig } from '../../src/adapters/kube/load-config.ts'
import type { About, ClusterView } from '../../src/apis/dashboard.ts'
import { nodeMarkets } from '../../src/apis/node-market.ts'
import type { KubeObject } from '../../src/apis/object.ts'
import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { pods } from '../../src/apis/pod.ts'
import { kubectlOf } from '../contracts/run-kubectl.ts'
import { each } from '../each.ts'
import { pathOf, real, skipUnless } from '../real.ts'
import { run } from '../run.ts'
import { type Speaking, startSpeaking } from '../speaking.ts'
import { until } from '../until.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-demo-test-'))
after(() => rmSync(folder, { recursive: true }))

const pageLine = /^Watch it: +(http:\S+)$/
const quick = ['--no-browser', '--port', '0', '--speed', '20']

const scenario = join(folder, 'small.yaml')
writeFileSync(
  scenario,
  `name: small
about: One service that requests more than it uses.
duration: 1h
nodes: [{ count: 2, cpus: 2 }]
workloads:
  - name: web
    replicas: 2
    cpu: { request: 600m, limit: 800m }
    load: requests rate=30 cpu=8ms threads=4
    slo: { p99: 100ms }
phases:
  - { name: calm, at: 0s }
  - { name: rush, at: 20s, loads: { web: requests rate=60 cpu=8ms threads=4 } }
`,
)

void describe('mbcas demo', () => {
  let demo: Speaking & { readonly caught: string }
  let kubeconfig: string
  let kube: KubeClient
  const ask = async <T>(path: string): Promise<T> => {
    const answer = await fetch(new URL(path, demo.caught))
    assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`)
    return (await answer.json()) as T
  }
  before(async () => {
    demo = await startSpeaking(['demo', '--scenario', scenario, ...quick], pageLine)
    kubeconfig = await until(
      'the kubeconfig',
      () => demo.said.join('\n').match(/export KUBECONFIG=(\S+)/)?.[1],
      () => demo.said,
    )
    kube = createKube(await loadConfig({ kubeconfig }))
  })
  after(async () => {
    kube.close()
    await demo.stop('SIGKILL')
  })

  void test('says what runs, where the page is and what to ask', () => {
    const [title, about] = demo.said
    assert.equal(title, 'small, 20 times as fast as real time; Ctrl-C ends it.')
    assert.equal(about, 'One service that requests more than it uses.')
    assert.equal(demo.said.filter((line) => line.startsWith('  kubectl ')).length, 3)
  })

  void test('has agents and a controller that size the pods of the scenario', async () => {
    let requests: (string | undefined)[] = []
    const isLowered = (request?: string) => request !== undefined && request !== '600m'
    const readRequests = async () => {
      const { items } = await kube.list(pods)
      assert.ok(items.every(({ metadata }) => metadata.name?.startsWith('web-')))
      requests = items.map(({ spec }) => spec.containers[0]?.resources?.requests?.['cpu'])
      return requests
    }
    await until(
      'a lowered request',
      async () => (await readRequests()).some(isLowered),
      () => requests,
    )
    for (const kind of [nodeMarkets, podAllocations]) {
      let names: (string | undefined)[] = []
      const readNames = async () => {
        const { items } = await kube.list<KubeObject>(kind)
        names = items.map(({ metadata }) => metadata.name)
        return names
      }
      const isThere = async () => (await readNames()).length === 2
      await until(`two ${kind.plural}`, isThere, () => names)
    }
  })

  void test('serves a page that knows the scenario and its nodes', async () => {
    const page = await fetch(demo.caught)
    assert.match(page.headers.get('content-type') ?? '', /text\/html/)
    const about = await ask<About>('/api/about')
    assert.equal(about.scenario?.name, 'small')
    assert.deepEqual(
      about.scenario?.phases.slice(0, 2).map(({ name }) => name),
      ['calm', 'rush'],
    )
    const view = await until('both nodes', async () => {
      const cluster = await ask<ClusterView>('/api/cluster')
      return cluster.nodes.every(({ mode }) => mode !== 'unknown') ? cluster : undefined
    })
    assert.equal(view.nodes.length, 2)
  })

  void test('is open for kubectl', { skip: skipUnless(real.kubernetes) }, async () => {
    const binary = join(pathOf(real.kubernetes), 'kubectl')
    const kubectl = kubectlOf({ binary, kubeconfig, cache: join(folder, 'cache') })
    const commands = demo.said.filter((line) => line.startsWith('  kubectl '))
    for (const command of commands) {
      const args = command
        .trim()
        .replaceAll("'", '')
        .split(/ (?!cpu=)/)
        .slice(1)
      const { code, err } = await kubectl(args)
      assert.deepEqual({ code, err }, { code: 0, err: '' }, command)
    }
    const { items } = await kube.list(pods)
    assert.deepEqual(
      items.map(({ metadata }) => metadata.annotations?.['sim.mbcas.io/load']),
      ['steady cpu=2', 'steady cpu=2'],
    )
  })

  void test('ends in order on Ctrl-C, and takes its kubeconfig with it', async () => {
    assert.equal(await demo.stop('SIGINT'), 0)
    assert.ok(!existsSync(kubeconfig))
    assert.deepEqual(
      demo.said.filter((line) => line.startsWith('{') || line.startsWith('mbcas:')),
      [],
    )
    await assert.rejects(fetch(demo.caught))
  })
})

const demo = async (...flags: readonly string[]) =>
  run(process.execPath, ['dist/src/main.js', 'demo', ...quick, ...flags])

void describe('mbcas demo, started and left alone', () => {
  void test('ends after its duration', async () => {
    const began = performance.now()
    const { code, stdout, stderr } = await demo('--scenario', scenario, '--duration', '100s')
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.match(stdout, /^small, 20 times/)
    assert.ok(performance.now() - began > 5000)
  })

  void test('ends in order when it is told to before all has started', async () => {
    const { code, stderr } = await demo('--scenario', scenario, '--duration', '1ms')
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  })

  void test('runs as fast as it can, if told so', async () => {
    const flags = ['--scenario', scenario, '--speed', 'max', '--duration', '5m']
    const { code, stderr } = await demo(...flags)
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  })

  void test('says what to do about a port that is taken', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    try {
      const { code, stderr } = await demo('--scenario', scenario, '--port', String(port))
      assert.equal(code, 2)
      assert.match(
        stderr,
        new RegExp(
          `^mbcas: --port: .*port ${port} is taken by another process; stop it, or choose`,
        ),
      )
    } finally {
      server.close()
    }
  })

  each(
    [
      {
        name: 'a scenario that is not known',
        flags: ['--scenario', 'evalution'],
        says: /^mbcas: reading a scenario: expected a file, or the name of an example, got evalution; did you mean evaluation\?/,
      },
      {
        name: 'a file that is not there',
        flags: ['--scenario', '/none.yaml'],
        says: /^mbcas: reading \/none\.yaml: there is no such file/,
      },
      {
        name: 'a duration without a unit',
        flags: ['--duration', '5'],
        says: /^mbcas: --duration: expected a duration/,
      },
      {
        name: "somebody's own kubeconfig",
        flags: ['--kubeconfig', scenario],
        says: /^mbcas: --kubeconfig: expected a new file/,
      },
    ],
    async ({ name, flags, says }) => {
      const { code, stderr } = await demo(...flags)
      assert.equal(code, 2, name)
      assert.match(stderr, says)
    },
  )
})
