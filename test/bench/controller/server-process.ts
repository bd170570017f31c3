/**
 * The embedded cluster in a process of its own, over HTTPS and in real time; it counts what is asked of
 * it. It says where it serves, and then what was asked whenever it gets a message.
 */
import { randomBytes } from 'node:crypto'

import { writeKubeconfig } from '../../../src/adapters/kube/embedded-kubeconfig.ts'
import { listen } from '../../../src/sim/apiserver/serve/https.ts'
import { makeCertificate } from '../../../src/sim/certificate.ts'
import { createCluster } from '../../../src/sim/cluster.ts'
import { kindOf } from './request-kind.ts'

const [path = '', nodes = '1', cpus = '1', pods = '110'] = process.argv.slice(2)
const shape = { cpus: Number(cpus), memory: '256Gi', pods: Number(pods), labels: {}, extended: {} }
const certificate = makeCertificate({ name: 'mbcas-bench', days: 1 })
const cluster = createCluster({
  nodes: [{ name: 'node', count: Number(nodes), ...shape }],
  seed: 1,
  speed: 1,
  startsAt: Date.now(),
  authority: certificate.cert,
})
const counts = new Map<string, number>()
const token = randomBytes(16).toString('hex')
const { port } = await listen({
  server: {
    handle: (request) => {
      const kind = kindOf(request.method, request.path)
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      return cluster.handle(request)
    },
  },
  clock: cluster.agenda.clock,
  host: '127.0.0.1',
  port: 0,
  ...certificate,
  token,
})
const url = `https://127.0.0.1:${port}`
writeKubeconfig(path, { url, authority: certificate.cert, token })
void cluster.agenda.run({})
process.on('message', () => process.send?.(Object.fromEntries(counts)))
process.on('disconnect', () => process.exit())
process.send?.('ready')
