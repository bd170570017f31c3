/** The contract suite on a real API server and kubelet, where its texts come from. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { createKube } from '../../src/adapters/kube/client.ts'
import { loadConfig } from '../../src/adapters/kube/load-config.ts'
import type { ContractServer } from '../contracts/case.ts'
import { runContracts } from '../contracts/contract.ts'
import { unlimited } from '../contracts/embedded.ts'
import { kubectlOf } from '../contracts/run-kubectl.ts'
import { startCluster, type Cluster } from '../kubernetes/cluster.ts'
import { pathOf, real, realCluster, skipUnless } from '../real.ts'

const skip = skipUnless(...realCluster)
async function serverOf(cluster: Cluster): Promise<ContractServer & { close: () => void }> {
  const { kubeconfig, nodeName, url } = cluster
  const cache = mkdtempSync(join(tmpdir(), 'mbcas-kubectl-'))
  const kube = createKube(await loadConfig({ kubeconfig, env: {} }), { limits: unlimited })
  await cluster.kubectl(['apply', '-f', 'deploy/crds'])
  await cluster.kubectl([
    'wait',
    '--for=condition=Established',
    'crd/podallocations.allocation.mbcas.io',
  ])
  return {
    name: 'real Kubernetes',
    kube,
    kubeconfig,
    nodeName,
    kubectl: kubectlOf({ binary: join(pathOf(real.kubernetes), 'kubectl'), kubeconfig, cache }),
    expireToken: async (token) => expireToken(url, token),
    can: new Set(['kubelet', 'scheduler', 'deployments', 'garbage-collector', 'expiry', 'kubectl']),
    close: () => {
      kube.close()
      rmSync(cache, { recursive: true })
    },
  }
}

/**
 * Moves the token to revision 1, before the CRD was there, and lets etcd forget it: newer revisions
 * the API server still answers from its own memory.
 */
async function expireToken(url: string, token: string): Promise<string> {
  const etcd = `http://${new URL(url).hostname}:2379/v3/kv`
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${etcd}/${path}`, { method: 'POST', body: JSON.stringify(body) })
    const text = await answer.text()
    assert.ok(answer.ok, text)
    return JSON.parse(text) as { header: { revision: string } }
  }
  const { header } = await post('range', { key: 'AA==' })
  await post('compaction', { revision: header.revision })
  const parts = JSON.parse(Buffer.from(token, 'base64url').toString()) as { rv: number }
  return Buffer.from(JSON.stringify({ ...parts, rv: 1 })).toString('base64url')
}

if (skip !== false) {
  void test('contracts on real Kubernetes', { skip }, () => {})
} else {
  const cluster = await startCluster({ say: (text) => console.log(`  ${text}`) })
  const server = await serverOf(cluster)
  void describe('a real cluster', () => {
    runContracts(server)
    after(async () => {
      server.close()
      await cluster.stop()
    })
  })
}
