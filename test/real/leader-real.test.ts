/**
 * Controllers of which one leads, against a real API server: the leader is killed, stopped, and cut
 * off by a network that falls silent. Every time is of this machine's clock, and shown, not judged:
 * how soon the next one leads is held in simulated time, by runtime/leader-safety. The tests follow on
 * each other: the leader that one leaves is the one that the next brings down.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { createKube, type KubeClient } from '../../src/adapters/kube/client.ts'
import { loadConfig } from '../../src/adapters/kube/load-config.ts'
import { type Lease, leases } from '../../src/apis/lease.ts'
import { fieldManagers, systemNamespace } from '../../src/apis/names.ts'
import { retryJitter, usualTiming } from '../../src/runtime/leader.ts'
import { type Cluster, startCluster } from '../kubernetes/cluster.ts'
import { realCluster, skipUnless } from '../real.ts'
import { root, run } from '../run.ts'
import { until } from '../until.ts'
import { startProxyTo, type TcpProxy } from './tcp-proxy.ts'

const place = { namespace: systemNamespace, name: fieldManagers.controller }

const retry = usualTiming.retryPeriod * retryJitter
const show = (millis: number): string => `${(millis / 1000).toFixed(2)} s`

type Line = { readonly time: string; readonly msg: string; readonly identity?: string }

type Controller = {
  readonly name: string
  readonly child: ChildProcess
  /** When something was first logged, in milliseconds since 1970. */
  readonly at: (message: string) => number | undefined
  /** The same, once it is there. */
  readonly when: (message: string) => Promise<number>
  readonly identity: () => string
  /** The exit code or the signal, and when it ended. */
  readonly ended: Promise<{ readonly by: number | string; readonly at: number }>
  readonly said: () => string
}

function startController(name: string, kubeconfig: string): Controller {
  const args = ['controller', '--kubeconfig', kubeconfig, '--listen', '127.0.0.1:0']
  const child = spawn(process.execPath, [join(root, 'dist', 'src', 'main.js'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  const lines = (): Line[] =>
    text
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line)
  const find = (message: string) => lines().find(({ msg }) => msg === message)
  const at = (message: string) => {
    const line = find(message)
    return line && Date.parse(line.time)
  }
  const when = async (message: string): Promise<number> => {
    const seen = () => at(message) !== undefined || child.exitCode !== null
    await until(`"${message}" of ${name}`, seen, () => text)
    const time = at(message)
    assert.ok(time !== undefined, `${name} ended without "${message}":\n${text}`)
    return time
  }
  return {
    name,
    child,
    at,
    when,
    identity: () => lines().find(({ identity }) => identity !== undefined)?.identity ?? '',
    ended: new Promise((resolve) => {
      child.once('close', (code, signal) => resolve({ by: code ?? signal ?? '', at: Date.now() }))
    }),
    said: () => text,
  }
}

void describe('controllers of which one leads', { skip: skipUnless(...realCluster) }, () => {
  const started: Controller[] = []
  const watching = new AbortController()
  /** Every version of the Lease, as the server says. */
  const versions: Lease[] = []
  /** When each had stopped leading, at the latest. */
  const stopped = new Map<Controller, number>()
  let cluster: Cluster
  let kube: KubeClient
  let proxy: TcpProxy
  let throughProxy: string

  const start = (name: string, kubeconfig = cluster.kubeconfig): Controller => {
    const controller = startController(name, kubeconfig)
    started.push(controller)
    return controller
  }
  const holder = async () => (await kube.get(leases, place)).spec?.holderIdentity
  const waits = async (controller: Controller) => controller.when('waiting for the lease')

  /** A holder writes the time into the lease when it leaves it, which is after its work has ended. */
  const releasedBy = async (controller: Controller): Promise<number> => {
    const after = () => {
      const held = versions.findLastIndex(
        ({ spec }) => spec?.holderIdentity === controller.identity(),
      )
      return versions[held + 1]?.spec
    }
    await until(
      `the release by ${controller.name}`,
      () => after() !== undefined,
      () => versions.map(({ spec }) => spec),
    )
    assert.equal(after()?.holderIdentity, '', `${controller.name} left the lease`)
    return Date.parse(after()?.renewTime ?? '')
  }

  before(async () => {
    cluster = await startCluster()
    await cluster.kubectl(['apply', '-f', join(root, 'deploy', 'crds')])
    const crds = ['crd', '--all', '--for=condition=Established', '--timeout=300s']
    await cluster.kubectl(['wait', ...crds])
    await cluster.kubectl(['create', 'namespace', systemNamespace])
    kube = createKube(await loadConfig({ kubeconfig: cluster.kubeconfig }))
    throughProxy = join(cluster.folder, 'through-proxy')
    proxy = await startProxyTo(cluster, throughProxy)
    const watch = async () => {
      const { resourceVersion } = await kube.list(leases, { namespace: place.namespace })
      const query = { namespace: place.namespace, resourceVersion, timeoutSeconds: 600 }
      for await (const event of kube.watch(leases, query, { signal: watching.signal }))
        if (event.type !== 'BOOKMARK') versions.push(event.object)
    }
    void watch()
  })

  const killAll = () => started.forEach(({ child }) => child.kill('SIGKILL'))
  process.once('exit', killAll)
  after(async () => {
    killAll()
    await Promise.all(started.map(async ({ ended }) => ended))
    watching.abort()
    kube?.close()
    await proxy?.close()
    await cluster?.stop()
  })

  let first: Controller
  let second: Controller
  let third: Controller
  let fourth: Controller

  void test('without the namespace of the lease none starts', async () => {
    const args = ['controller', '--kubeconfig', cluster.kubeconfig, '--listen', '127.0.0.1:0']
    const more = ['--lease-namespace', 'elsewhere']
    const main = join(root, 'dist', 'src', 'main.js')
    const { code, stderr } = await run(process.execPath, [main, ...args, ...more])
    assert.equal(code, 2, stderr)
    assert.match(stderr, /^mbcas: .*kubectl create namespace elsewhere, or name another/m)
  })

  void test('of two one leads, and the other waits', async () => {
    const two = [start('first'), start('second')] as const
    const leads = (one: Controller) => one.at('controller ready') !== undefined
    await until('one that leads', () => two.some(leads))
    ;[first, second] = leads(two[0]) ? two : [two[1], two[0]]
    await waits(second)
    await sleep(2 * retry)
    assert.equal(second.at('lease acquired'), undefined)
    assert.equal(await holder(), first.identity())
  })

  void test('killed: the other leads after the lease time', async () => {
    const from = Date.now()
    first.child.kill('SIGKILL')
    const end = await first.ended
    stopped.set(first, end.at)
    assert.equal(end.by, 'SIGKILL')
    const taken = (await second.when('lease acquired')) - from
    const ready = (await second.when('controller ready')) - from
    console.log(`  kill -9: lease acquired after ${show(taken)}, ready after ${show(ready)}`)
    assert.equal(await holder(), second.identity())
  })

  void test('told to stop: it leaves the lease, and the other leads at once', async () => {
    third = start('third', throughProxy)
    await waits(third)
    const from = Date.now()
    second.child.kill('SIGTERM')
    const taken = (await third.when('lease acquired')) - from
    await third.when('controller ready')
    const end = await second.ended
    console.log(
      `  SIGTERM: ended after ${show(end.at - from)}, lease acquired after ${show(taken)}`,
    )
    stopped.set(second, await releasedBy(second))
    assert.equal(end.by, 0, second.said())
    assert.ok(second.at('lease released') !== undefined, second.said())
  })

  void test('cut off: it stops before the other leads, and its late requests change nothing', async () => {
    fourth = start('fourth')
    await waits(fourth)
    const from = Date.now()
    proxy.stall()
    const lost = await third.when('lease lost')
    const over = await third.when('leading ended')
    stopped.set(third, over)
    const taken = await fourth.when('lease acquired')
    await fourth.when('controller ready')
    const end = await third.ended
    const after = (time: number): string => show(time - from)
    console.log(
      `  stalled: lease lost after ${after(lost)}, work over after ${after(over)}, ` +
        `taken after ${after(taken)}, cut-off process ended after ${after(end.at)}`,
    )
    assert.ok(over < taken, `it led until ${after(over)}, the other from ${after(taken)}`)
    assert.equal(end.by, 1, third.said())
    const before = proxy.passed()
    proxy.resume()
    const late = await until('bytes of the cut-off process', () => proxy.passed() - before || false)
    console.log(`  ${late} bytes of the cut-off process let through, after its end`)
    await sleep(2 * usualTiming.retryPeriod)
    assert.equal(await holder(), fourth.identity())
    assert.equal(fourth.at('lease lost'), undefined)
  })

  void test('never two at once', async () => {
    fourth.child.kill('SIGTERM')
    assert.equal((await fourth.ended).by, 0, fourth.said())
    assert.equal(await holder(), '')
    stopped.set(fourth, await releasedBy(fourth))
    const terms = started
      .map((one) => ({
        name: one.name,
        from: one.at('lease acquired') ?? NaN,
        to: stopped.get(one),
      }))
      .toSorted((a, b) => a.from - b.from)
    assert.equal(terms.length, 4)
    for (const [index, { name, from, to = NaN }] of terms.entries()) {
      assert.ok(from < to, `${name} led from ${from} to ${to}`)
      const next = terms[index + 1]
      if (next === undefined) continue
      console.log(`  ${show(next.from - to)} without a leader from ${name} to ${next.name}`)
      assert.ok(to <= next.from, `${name} led until ${to}, ${next.name} from ${next.from}`)
    }
    const holders = versions.map(({ spec }) => spec?.holderIdentity ?? '')
    const changes = holders.filter((one, index) => one !== holders[index - 1])
    const [a, b, c, d] = [first, second, third, fourth].map((one) => one.identity())
    assert.deepEqual(changes, [a, b, '', c, d, ''])
  })
})
