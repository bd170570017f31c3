/**
 * `mbcas dashboard` on a real cluster, as a process with its own account and no more rights than
 * `deploy/rbac` gives it, beside an agent and a controller: what it may, what it shows, and that it
 * goes on when the agent does not.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import type { ClusterView, NodeDetail, PodDetail } from '../../src/apis/dashboard.ts'
import { settings, systemNamespace } from '../../src/apis/names.ts'
import { type Background, startMbcas } from '../background.ts'
import { openEventStream } from '../dashboard/event-stream.ts'
import { askHttp } from '../dashboard/stage.ts'
import { agentCalls, controllerCalls, dashboardCalls, lineOf } from '../process-calls.ts'
import { realCluster, skipUnless } from '../real.ts'
import { until } from '../until.ts'
import { type Accounts, isAllowed, openAccounts } from './accounts.ts'
import { podOf } from './real-pods.ts'

const token = 'a-token-of-some-length'
const headers = { authorization: `Bearer ${token}` }
/** A little, so that a small machine is not kept busy. */
const work = 'while :; do i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; sleep 0.05; done'

void describe('the dashboard on a real cluster', { skip: skipUnless(...realCluster) }, () => {
  let accounts: Accounts
  let url: string
  const running = new Map<string, Background>()

  const start = (name: string, ...args: readonly string[]): Background => {
    const process = startMbcas(name, '--kubeconfig', accounts.kubeconfigOf(name), ...args)
    running.set(name, process)
    return process
  }
  const startAgent = () => {
    const { nodeName, cgroupRoot } = accounts.cluster
    const place = ['--node', nodeName, '--cgroup-root', cgroupRoot]
    return start('agent', ...place, '--interval', '2s', '--listen', ':0')
  }
  const read = async <T>(path: string): Promise<T> => {
    const answer = await askHttp(url + path, { headers })
    assert.equal(answer.status, 200, `${path}: ${answer.body}`)
    return answer.json() as unknown as T
  }

  before(async () => {
    accounts = await openAccounts()
    const { cluster, kubectl, add } = accounts
    const made = await kubectl(['create', 'token', 'mbcas-dashboard', '-n', systemNamespace])
    assert.equal(made.code, 0, made.stderr)
    await add('dashboard', made.stdout)
    const annotations = { [settings.maxCpu]: '200m', [settings.minCpu]: '20m' }
    const pod = podOf({ name: 'web', work, request: '20m', limit: '60m', annotations })
    await cluster.kubectl(['apply', '-f', '-'], JSON.stringify(pod))
    await cluster.kubectl(['wait', '--for=condition=Ready', 'pod', '--all', '--timeout=300s'])
    const file = join(cluster.folder, 'dashboard.token')
    writeFileSync(file, `${token}\n`)
    start('controller', '--listen', '127.0.0.1:0')
    startAgent()
    const dashboard = start('dashboard', '--listen', '127.0.0.1:0', '--token-file', file)
    await until('the dashboard', async () => {
      const line = dashboard.lines.find(({ msg }) => msg === 'serving')
      url = (line?.['url'] as string | undefined) ?? ''
      return url !== '' && (await askHttp(`${url}/readyz`)).status === 200
    })
  })

  after(async () => {
    for (const process of running.values()) await process.stop()
    await accounts.stop()
  })

  void test('it may look, and nothing else', async () => {
    const kube = accounts.as('dashboard')
    for (const call of dashboardCalls) {
      assert.equal(await isAllowed(kube, call), true, lineOf(call))
    }
    const known = new Set(dashboardCalls.map(lineOf))
    const others = [...agentCalls, ...controllerCalls].filter((call) => !known.has(lineOf(call)))
    for (const call of others) assert.equal(await isAllowed(kube, call), false, lineOf(call))
  })

  void test('the node and its market, as the agent there says', async () => {
    await until('a market without trouble', async () => {
      const { nodes, troubles } = await read<ClusterView>('/api/cluster')
      return troubles.length === 0 && nodes[0]?.mode !== 'unknown'
    })
    const { nodes } = await read<ClusterView>('/api/cluster')
    assert.deepEqual(
      nodes.map(({ name }) => name),
      [accounts.cluster.nodeName],
    )
  })

  void test('a pod, live: what it uses and has, and why', async () => {
    const stream = await openEventStream(`${url}/api/live/pod/default/web`, headers)
    const { data } = await stream.next(({ event }) => event === 'view')
    const { row } = data as unknown as PodDetail
    assert.ok(row.isManaged, row.reason)
    await stream.next(({ event, data }) => event === 'patch' && 'history' in data)
    stream.close()
    await until('usage and a weight', async () => {
      const { row, bid } = await read<PodDetail>('/api/pod/default/web')
      return row.used > 0 && row.shares !== undefined && bid !== undefined
    })
    await until('a decision', async () => {
      const { decisions } = await read<PodDetail>('/api/pod/default/web')
      return decisions.some(({ reason }) => reason !== '')
    })
  })

  void test('without its agent the node is still shown, and why less is known', async () => {
    await running.get('agent')?.stop()
    const path = `/api/node/${accounts.cluster.nodeName}`
    await until('the trouble', async () => {
      const { tile } = await read<NodeDetail>(path)
      return /asking the agent of node .* at http:.*ECONNREFUSED/.test(tile.trouble ?? '')
    })
    const { tile, pods } = await read<NodeDetail>(path)
    assert.notEqual(tile.mode, 'unknown')
    assert.ok(pods.some(({ key }) => key === 'default/web'))
    startAgent() // on another port, which its NodeMarket tells
    await until('its word again', async () => {
      return (await read<NodeDetail>(path)).tile.trouble === undefined
    })
  })

  void test('nobody is told anything without the token, and it ends in order', async () => {
    assert.equal((await askHttp(`${url}/api/cluster`)).status, 401)
    const dashboard = running.get('dashboard')
    assert.equal(await dashboard?.stop(), 0)
    const refused = (dashboard?.lines ?? []).filter((line) =>
      /forbidden/i.test(JSON.stringify(line)),
    )
    // A cluster without metrics.k8s.io says so; the rest is allowed.
    assert.deepEqual(
      refused.filter((line) => !JSON.stringify(line).includes('metrics.k8s.io')),
      [],
    )
  })
})
