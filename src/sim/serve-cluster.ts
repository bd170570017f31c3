/** An embedded cluster for kubectl and other processes: HTTPS on loopback, one token that may do all. */
import { randomBytes } from 'node:crypto'

import { listen } from './apiserver/serve/https.ts'
import { makeCertificate } from './certificate.ts'
import { type ClusterOptions, createCluster, type SimCluster } from './cluster.ts'

export type ServedCluster = {
  readonly cluster: SimCluster
  /** What a client must know. */
  readonly access: { readonly url: string; readonly authority: string; readonly token: string }
  /** Ends watches and connections. */
  readonly close: () => Promise<void>
}

/** Rejects, in words of the system, where the port cannot be had; 0 is any. */
export async function serveCluster(
  options: Omit<ClusterOptions, 'authority'>,
  port: number,
): Promise<ServedCluster> {
  const certificate = makeCertificate({ name: 'mbcas-cluster', days: 365 })
  const authority = certificate.cert
  const cluster = createCluster({ ...options, authority })
  const token = randomBytes(16).toString('hex')
  const server = await listen({
    server: cluster,
    clock: cluster.agenda.clock,
    host: '127.0.0.1',
    port,
    ...certificate,
    token,
    report: (what, error) => console.error(`mbcas: this is a bug: ${what}:`, error),
  })
  const url = `https://127.0.0.1:${server.port}`
  return { cluster, access: { url, authority, token }, close: server.close }
}
