/** The contract suite on the embedded cluster, as a process of its own over HTTPS. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { applyCrds } from '../../src/adapters/kube/apply-crds.ts'
import { createKube } from '../../src/adapters/kube/client.ts'
import { loadConfig } from '../../src/adapters/kube/load-config.ts'
import type { Capability, ContractServer } from '../contracts/case.ts'
import { runContracts } from '../contracts/contract.ts'
import { expireToken, unlimited } from '../contracts/embedded.ts'
import { kubectlOf } from '../contracts/run-kubectl.ts'
import { type Embedded, startEmbedded } from '../embedded.ts'
import { real, skipUnless } from '../real.ts'

async function serverOf(cluster: Embedded): Promise<ContractServer & { close: () => void }> {
  const { kubeconfig } = cluster
  const cache = mkdtempSync(join(tmpdir(), 'mbcas-kubectl-'))
  const kube = createKube(await loadConfig({ kubeconfig, env: {} }), { limits: unlimited })
  await applyCrds(kube)
  const binaries = real.kubernetes.path
  const can: Capability[] = ['kubelet', 'scheduler', 'deployments', 'garbage-collector', 'expiry']
  return {
    name: 'the embedded cluster',
    kube,
    kubeconfig,
    nodeName: 'node-0',
    ...(binaries !== undefined && {
      kubectl: kubectlOf({ binary: join(binaries, 'kubectl'), kubeconfig, cache }),
    }),
    expireToken: async (token) => expireToken(token),
    can: new Set<Capability>(binaries === undefined ? can : [...can, 'kubectl']),
    close: () => {
      kube.close()
      rmSync(cache, { recursive: true })
    },
  }
}

const cluster = await startEmbedded('--nodes', '1', '--cpus', '2')
const server = await serverOf(cluster)
void describe('the embedded cluster', () => {
  runContracts(server)
  void test('the cases with kubectl', { skip: skipUnless(real.kubernetes) }, () => {})
  after(async () => {
    server.close()
    await cluster.stop()
  })
})
