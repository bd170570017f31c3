/** The dashboard's server on an embedded cluster with agents and a controller: live, and asked badly. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import type {
  About,
  ClusterView,
  EventFeed,
  NodeDetail,
  PodDetail,
} from '../../src/apis/dashboard.ts'
import {
  type MarketSettings,
  marketSettings,
  settingsName,
} from '../../src/apis/market-settings.ts'
import { nodes } from '../../src/apis/node.ts'
import { pods } from '../../src/apis/pod.ts'
import { renewLease } from '../../src/apps/agent/heartbeat.ts'
import type { StreamEvent } from '../dashboard/event-stream.ts'
import { openStage, type Stage } from '../dashboard/stage.ts'
import { each } from '../each.ts'
import { createPods, loadedPod } from '../platform.ts'
import { until } from '../until.ts'

const read = async <T>(stage: Stage, path: string): Promise<T> => {
  const answer = await stage.ask(path)
  assert.equal(answer.status, 200, `${path}: ${answer.body}`)
  return answer.json() as unknown as T
}

const readyNode = {
  allocatable: { cpu: '2' },
  conditions: [{ type: 'Ready', status: 'True' as const }],
}

/** Its share is its limit, which is resized. */
const strict = { 'mbcas.io/enforcement': 'strict' }

const isView = ({ event }: StreamEvent): boolean => event === 'view'
const has =
  (...fields: readonly string[]) =>
  ({ event, data }: StreamEvent): boolean =>
    event === 'patch' && fields.every((field) => field in data)

void describe('the dashboard on an embedded cluster', () => {
  let stage: Stage

  before(async () => {
    stage = await openStage()
    await createPods(stage.kube, [
      loadedPod('busy', { load: 'steady cpu=900m threads=2', annotations: strict }),
      loadedPod('idle', { annotations: { 'mbcas.io/managed': 'false' } }),
    ])
  })
  after(async () => stage.close())

  void test('the cluster, live: the whole, then only what changed', async () => {
    const stream = await stage.listen('/api/live/cluster')
    assert.equal(stream.headers['content-type'], 'text/event-stream')
    const { data } = await stream.next(isView)
    const whole = data as unknown as ClusterView
    assert.deepEqual(
      whole.nodes.map(({ name }) => name),
      ['node-0', 'node-1'],
    )
    const patch = await stream.next(has('nodes', 'totals', 'history'))
    assert.ok((patch.data['at'] as number) > whole.at)
    stream.close()
  })

  void test('a pod that is throttled is raised, and every step of it is told', async () => {
    const stream = await stage.listen('/api/live/pod/default/busy')
    await stream.next(
      ({ event, data }) =>
        event !== 'beat' && ((data['row'] as PodDetail['row'] | undefined)?.limit ?? 0) >= 900,
    )
    await stream.next(({ data }) => {
      const { used = [] } = (data['history'] as Partial<PodDetail['history']> | undefined) ?? {}
      return used.some((amount) => (amount ?? 0) > 300)
    })
    const readPod = async () => read<PodDetail>(stage, '/api/pod/default/busy')
    let pod = await readPod()
    while ((pod.bid?.need ?? 0) < 800) {
      await stream.next()
      pod = await readPod()
    }
    stream.close()
    assert.deepEqual(pod.original, { request: 100, limit: 500 })
    assert.ok(pod.decisions.length > 0 && pod.decisions.every(({ reason }) => reason !== ''))
    const told = new Set<string>()
    const feed = await stage.listen('/api/live/events')
    const isTold = () => told.has('resize') && told.has('suffering') && told.has('kubernetes')
    while (!isTold()) {
      const { data } = await feed.next(({ event }) => event !== 'beat')
      const { events } = data as unknown as EventFeed
      for (const { kind, pod } of events) if (pod === 'default/busy') told.add(kind)
    }
    feed.close()
  })

  void test('a node: who holds what, over time, in stable order', async () => {
    const cluster = await read<ClusterView>(stage, '/api/cluster')
    const busy = await read<PodDetail>(stage, '/api/pod/default/busy')
    const { node } = busy.row
    const detail = await read<NodeDetail>(stage, `/api/node/${node}`)
    assert.equal(detail.tile.name, node)
    assert.equal(detail.reserve, 0)
    const keys = detail.history.pods.map(({ key }) => key)
    assert.deepEqual(keys, keys.toSorted())
    assert.ok(keys.includes('default/busy'))
    for (const { held, used } of detail.history.pods) {
      assert.deepEqual([held.length, used.length], [detail.history.at.length, held.length])
    }
    const { at } = detail.history
    const [from, to] = [at[1] ?? 0, at.at(-2) ?? 0]
    const part = await read<NodeDetail>(stage, `/api/node/${node}?from=${from}&to=${to}`)
    assert.ok(part.history.at.every((time) => time >= from && time <= to))
    assert.equal(cluster.totals.nodes, 2)
    assert.deepEqual(cluster.troubles, [])
  })

  void test('a pod that takes no part says why', async () => {
    const { row, bid } = await read<PodDetail>(stage, '/api/pod/default/idle')
    assert.deepEqual([row.isManaged, bid], [false, undefined])
    assert.match(row.reason, /managed/)
  })

  void test('search finds pods and nodes by part of a name', async () => {
    type Found = { nodes: string[]; pods: { key: string }[]; left: number }
    const { pods: found } = await read<Found>(stage, '/api/search?q=BUS')
    assert.deepEqual(
      found.map(({ key }) => key),
      ['default/busy'],
    )
    assert.deepEqual((await read<Found>(stage, '/api/search?q=node-1')).nodes, ['node-1'])
    assert.deepEqual(await read(stage, '/api/search?q='), { nodes: [], pods: [], left: 0 })
  })

  void test('what goes away is told on its stream', async () => {
    await createPods(stage.kube, [loadedPod('brief')])
    const isThere = async () => (await stage.ask('/api/pod/default/brief')).status === 200
    while (!(await isThere())) await stage.cluster.agenda.clock.sleep(500)
    const stream = await stage.listen('/api/live/pod/default/brief')
    await stream.next(isView)
    await stage.kube.remove(pods, { namespace: 'default', name: 'brief' })
    await stream.next(({ event }) => event === 'gone')
    stream.close()
  })

  void test('who comes again gets the whole again', async () => {
    for (let times = 0; times < 2; times += 1) {
      const stream = await stage.listen('/api/live/node/node-0')
      assert.equal((await stream.next()).event, 'view')
      await stream.next(has('history'))
      stream.close()
    }
  })

  void test('an agent that is silent: what the API knows is shown, and why it is less', async () => {
    stage.silent.add('node-0').add('node-1')
    const stream = await stage.listen('/api/live/cluster')
    const isTold = ({ data }: StreamEvent) =>
      ((data['troubles'] as string[] | undefined) ?? []).some((text) => /2 of 2 nodes/.test(text))
    await stream.next(isTold)
    const busy = await read<PodDetail>(stage, '/api/pod/default/busy')
    assert.ok(busy.row.used > 0)
    // What the agents said last counts for a minute; then the API's word, with metrics.k8s.io.
    await stage.cluster.agenda.clock.sleep(100_000)
    const later = await read<PodDetail>(stage, '/api/pod/default/busy')
    assert.equal(later.bid, undefined)
    assert.ok(Math.abs(later.row.used - 900) < 150, `used ${later.row.used}`)
    const { tile } = await read<NodeDetail>(stage, `/api/node/${later.row.node}`)
    assert.match(tile.trouble ?? '', /asking the agent of node .*: silent/)
    assert.notEqual(tile.mode, 'unknown')
    stage.silent.clear()
    await stream.next(({ data }) => (data['troubles'] as string[] | undefined)?.length === 0)
    stream.close()
  })

  void test('no comparison, and what the page needs to begin', async () => {
    assert.equal((await stage.ask('/api/comparison')).status, 404)
    const about = await read(stage, '/api/about')
    const settings = { mode: 'auto', excludedNamespaces: [] }
    assert.deepEqual(about, { cluster: 'test', version: '0', everyMillis: 1000, settings })
  })

  void test('the mode of the cluster, if it is not the usual one', async () => {
    const { kube } = stage
    const settings = async () => (await read<About>(stage, '/api/about')).settings
    await kube.create<MarketSettings>(marketSettings, {
      metadata: { name: settingsName },
      spec: { mode: 'recommend', excludedNamespaces: ['batch'] },
    })
    await until('the page to know', async () => (await settings())?.mode === 'recommend')
    const { note, ...told } = (await settings()) ?? {}
    assert.deepEqual(told, { mode: 'recommend', excludedNamespaces: ['batch'] })
    assert.match(note ?? '', /^Mode recommend \(MarketSettings cluster\): no pod is resized/)
    await kube.remove(marketSettings, { name: settingsName })
    await until('the usual', async () => (await settings())?.note === undefined)
  })

  void test('an agent that does not renew its Lease is silent, until it does', async () => {
    const { kube, cluster } = stage
    const { clock } = cluster.agenda
    const { signal } = new AbortController()
    const node = { metadata: { name: 'lonely' }, status: readyNode }
    await kube.create(nodes, node)
    await kube.update(
      nodes,
      { ...(await kube.get(nodes, { name: 'lonely' })), status: readyNode },
      {
        subresource: 'status',
      },
    )
    const tile = async () => (await read<NodeDetail>(stage, '/api/node/lonely')).tile
    const agent = { kube, clock, node: await kube.get(nodes, { name: 'lonely' }) }
    await renewLease(agent, signal)
    await until('its silence', async () => (await tile()).silentSince !== undefined)
    const { silentSince = 0 } = await tile()
    assert.ok(clock.wall() - silentSince > 40_000)
    await renewLease(agent, signal)
    await until('its answer', async () => (await tile()).silentSince === undefined)
    await kube.remove(nodes, { name: 'lonely' })
  })

  each(
    [
      {
        name: 'an unknown path',
        path: '/api/nothing',
        status: 404,
        says: /there are \/api\/about/,
      },
      { name: 'an unknown node', path: '/api/node/x', status: 404, says: /there is no node x/ },
      { name: 'an unknown pod', path: '/api/live/pod/a/b', status: 404, says: /no pod a\/b/ },
      { name: 'a path that goes on', path: '/api/node/a/b', status: 404, says: /there is no/ },
      { name: 'a path without a name', path: '/api/node/', status: 404, says: /there is no/ },
      { name: 'a path that climbs', path: '/api/..%2f..%2fetc', status: 404, says: /there is no/ },
      { name: 'a broken escape', path: '/api/node/%E0%A4', status: 400, says: /cannot read/ },
      { name: 'a range that is none', path: '/api/cluster?from=x', status: 400, says: /from=/ },
      { name: 'a file that is not there', path: '/no.js', status: 404, says: /no \/no\.js/ },
      { name: 'a file outside', path: '/../../package.json', status: 404, says: /there is no/ },
    ],
    async ({ path, status, says }) => {
      const answer = await stage.ask(path)
      assert.equal(answer.status, status, answer.body)
      assert.match(answer.json()['error'] as string, says)
    },
  )

  void test('nothing can be changed, and every answer is guarded', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await stage.ask('/api/cluster', { method })
      assert.deepEqual([method, status, headers.allow], [method, 405, 'GET, HEAD'])
    }
    for (const path of ['/api/cluster', '/', '/nothing.js', '/healthz', '/api/live/node/x']) {
      const { headers } = await stage.ask(path)
      assert.match(String(headers['content-security-policy']), /default-src 'self'/, path)
      assert.equal(headers['x-content-type-options'], 'nosniff', path)
      assert.equal(headers['referrer-policy'], 'same-origin', path)
      assert.equal(headers['x-frame-options'], 'DENY', path)
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin', path)
    }
    const head = await stage.ask('/api/cluster', { method: 'HEAD' })
    assert.deepEqual([head.status, head.body], [200, ''])
    assert.equal((await stage.ask('/readyz')).status, 200)
  })

  void test('another name that leads here is refused', async () => {
    const headers = { host: `evil.example:${stage.port}` }
    assert.equal((await stage.ask('/api/cluster', { headers })).status, 421)
    const { status } = await stage.ask('/api/cluster', { headers: { host: 'localhost' } })
    assert.equal(status, 200)
  })

  void test('large answers are sent short to those who can read them', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    const { headers: told } = await stage.ask('/api/cluster', { headers })
    assert.deepEqual([told['content-encoding'], told['cache-control']], ['gzip', 'no-store'])
  })

  void test('at the end the streams end too', async () => {
    const stream = await stage.listen('/api/live/events')
    await stream.next(isView)
    await stage.stopDashboard()
    await stream.ended
  })
})

void describe('a dashboard with a token', () => {
  const token = 'correct-horse-battery'
  let stage: Stage

  before(async () => {
    stage = await openStage({ nodes: 1, access: { by: 'token', token } })
  })
  after(async () => stage.close())

  void test('nothing is told without it, live or not', async () => {
    for (const path of ['/api/cluster', '/api/live/cluster', '/app.js', '/api/about']) {
      assert.equal((await stage.ask(path)).status, 401, path)
    }
    const page = await stage.ask('/node/node-0', { headers: { accept: 'text/html' } })
    assert.deepEqual([page.status, page.headers.location], [303, '/login?next=%2Fnode%2Fnode-0'])
    assert.equal((await stage.ask('/healthz')).status, 200, 'but that it lives')
  })

  void test('a script brings it along', async () => {
    const headers = { authorization: `Bearer ${token}` }
    assert.equal((await stage.ask('/api/cluster', { headers })).status, 200)
  })

  void test('a person gives it once', async () => {
    const form = await stage.ask('/login?next=/events')
    assert.match(form.body, /<form method="post">/)
    const body = String(new URLSearchParams({ token, next: '/events' }))
    const login = await stage.ask('/login', { method: 'POST', body })
    assert.deepEqual([login.status, login.headers.location], [303, '/events'])
    const [cookie = ''] = login.headers['set-cookie'] ?? []
    const stream = await stage.listen('/api/live/cluster', { cookie: cookie.split(';')[0] })
    assert.equal((await stream.next()).event, 'view')
    stream.close()
  })
})
