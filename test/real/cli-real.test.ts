/** The commands that ask a cluster, against a real API server, and through the real kubectl. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { formatYaml, parseDocument } from '../../src/adapters/document.ts'
import { createKube, type KubeClient } from '../../src/adapters/kube/client.ts'
import { loadConfig } from '../../src/adapters/kube/load-config.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import type { ClusterSummary } from '../../src/apps/cli/status/cluster-summary.ts'
import { furnish } from '../cli/furnish.ts'
import { each } from '../each.ts'
import { type ApiServer, startApiServer } from '../kubernetes/cluster.ts'
import { pathOf, real, realCluster, skipUnless } from '../real.ts'
import { type Ran, root, run, withPath } from '../run.ts'

type Kubeconfig = { readonly users: readonly { readonly name: string }[] }

void describe('the command line on a real API server', { skip: skipUnless(...realCluster) }, () => {
  let server: ApiServer
  let kube: KubeClient

  const mbcas = async (args: readonly string[], kubeconfig = server.kubeconfig): Promise<Ran> =>
    run(process.execPath, [join(root, 'dist', 'src', 'main.js'), ...args], {
      env: { KUBECONFIG: kubeconfig },
    })
  const outputOf = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await mbcas(args)
    assert.equal(code, 0, stderr)
    return stdout
  }

  before(async () => {
    server = await startApiServer()
    kube = createKube(await loadConfig({ kubeconfig: server.kubeconfig }))
  })
  after(async () => {
    kube?.close()
    await server?.stop()
  })

  void test('without our resource types it says how to get them', async () => {
    const { code, stderr } = await mbcas(['status'])
    assert.equal(code, 2)
    assert.match(stderr, /is not installed: kubectl apply -f deploy\/crds$/m)
    await server.kubectl(['apply', '-f', 'deploy/crds'])
    await server.kubectl([
      'wait',
      '--for=condition=Established',
      'crd/podallocations.allocation.mbcas.io',
      'crd/nodemarkets.allocation.mbcas.io',
    ])
    await furnish(kube, systemClock.wall())
  })

  each(
    [
      {
        name: 'status',
        args: ['status'],
        says: /^1 of 4 pods suffers; 1 of 3 nodes short of CPU; 1 agent silent\n/,
      },
      {
        name: 'top nodes, without a metrics server',
        args: ['top'],
        says: /^node-1 +congested +3600m +3600m +█{10} +- +0.001333 +1\/2\n[^]*no metrics.k8s.io/m,
      },
      {
        name: 'top pods of some labels',
        args: ['top', 'pods', '-l', 'app=web'],
        says: /^shop\/web-7d4b9c-x2x1q +node-1 +- +·{6} +100m +900m +900m +Applied!$/m,
      },
      {
        name: 'explain pod',
        args: ['explain', 'pod', 'shop/worker-0'],
        says: /^ {2}gets +1250m, at 0.001333 per millicore/m,
      },
      {
        name: 'explain node',
        args: ['explain', 'node', 'node-1'],
        says: /^node-1: congested, cleared/,
      },
      {
        name: 'explain allocation',
        args: ['explain', 'allocation', '-n', 'shop', 'worker-0'],
        says: /^ {2}means +NodeHeadroom: /m,
      },
      {
        name: 'version',
        args: ['version', '--server'],
        says: /^Kubernetes v1\.36\.\S+ at https:.*\n.* is installed$/m,
      },
    ],
    async ({ args, says }) => assert.match(await outputOf(...args), says),
  )

  void test('every table has a JSON twin', async () => {
    const summary = JSON.parse(await outputOf('status', '-o', 'json')) as ClusterSummary
    assert.deepEqual(summary.modes, { uncongested: 2, congested: 1, overloaded: 0 })
    for (const args of [['top'], ['top', 'pods'], ['explain', 'node', 'node-0']]) {
      JSON.parse(await outputOf(...args, '-o', 'json'))
    }
  })

  void test('a pod with a typing error', async () => {
    const { code, stderr } = await mbcas(['explain', 'pod', 'default/worker-0'])
    assert.equal(code, 2)
    assert.match(stderr, /did you mean shop\/worker-0\?$/m)
  })

  void test('without permission it says who may not do what, and what to do', async () => {
    await server.kubectl(['create', 'serviceaccount', 'poor'])
    const token = (await server.kubectl(['create', 'token', 'poor'])).trim()
    const rich = parseDocument(readFileSync(server.kubeconfig, 'utf8'), 'kubeconfig') as Kubeconfig
    const users = rich.users.map(({ name }) => ({ name, user: { token } }))
    const kubeconfig = join(server.folder, 'poor')
    writeFileSync(kubeconfig, formatYaml({ ...rich, users }))
    const { code, stderr } = await mbcas(['status'], kubeconfig)
    assert.equal(code, 2)
    assert.match(
      stderr,
      /403 Forbidden: .*cannot list resource "nodemarkets".*; grant it with a Role/,
    )
  })

  void test('kubectl mbcas', async () => {
    const { code, stdout, stderr } = await run(
      join(pathOf(real.kubernetes), 'kubectl'),
      ['mbcas', 'explain', 'pod', '-n', 'shop', 'worker-0'],
      { env: { KUBECONFIG: server.kubeconfig, ...withPath(join(root, 'bin')) } },
    )
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^shop\/worker-0 on node-1: Pending/)
  })
})
