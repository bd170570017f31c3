/** The contract suite on the embedded cluster in this very process, without a network between. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'

import { applyCrds } from '../../src/adapters/kube/apply-crds.ts'
import { createKubeOver } from '../../src/adapters/kube/client.ts'
import { writeKubeconfig } from '../../src/adapters/kube/embedded-kubeconfig.ts'
import { listen } from '../../src/sim/apiserver/serve/https.ts'
import { makeCertificate } from '../../src/sim/certificate.ts'
import { createCluster } from '../../src/sim/cluster.ts'
import { runContracts } from '../contracts/contract.ts'
import { expireToken, unlimited } from '../contracts/embedded.ts'

const certificate = makeCertificate({ name: 'mbcas', days: 1 })
const cluster = createCluster({
  nodes: [{ name: 'node', count: 1, cpus: 2, memory: '16Gi', pods: 110, labels: {}, extended: {} }],
  seed: 1,
  speed: 1,
  startsAt: Date.now(),
  authority: certificate.cert,
})
const stop = new AbortController()
const running = cluster.agenda.run({ signal: stop.signal })
const kube = createKubeOver(cluster.transport('mbcas'), {
  clock: cluster.agenda.clock,
  limits: unlimited,
})
await applyCrds(kube)
await cluster.agenda.clock.sleep(5000) // until its node is ready

// Some cases ask for tables and the like, which our client does not: they need an address.
const server = await listen({
  server: cluster,
  clock: cluster.agenda.clock,
  host: '127.0.0.1',
  port: 0,
  ...certificate,
  token: 'contracts',
})
const folder = mkdtempSync(join(tmpdir(), 'mbcas-contracts-'))
const kubeconfig = join(folder, 'kubeconfig')
const url = `https://127.0.0.1:${server.port}`
writeKubeconfig(kubeconfig, { url, authority: certificate.cert, token: 'contracts' })

void describe('the embedded cluster in process', () => {
  runContracts({
    name: 'the embedded cluster in process',
    kube,
    kubeconfig,
    nodeName: 'node-0',
    expireToken: async (token) => expireToken(token),
    can: new Set(['kubelet', 'scheduler', 'deployments', 'garbage-collector', 'expiry']),
  })
  after(async () => {
    kube.close()
    await server.close()
    stop.abort()
    await running
    rmSync(folder, { recursive: true })
  })
})
