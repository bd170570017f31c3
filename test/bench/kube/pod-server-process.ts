/** The pod server in a process of its own, so that its work counts for nobody: see `forkPodServer`. */
import { readFileSync } from 'node:fs'

import { startPodServer } from './pod-server.ts'

const [, , pods, events, certFile, keyFile] = process.argv
const server = await startPodServer({
  pods: Number(pods),
  events: Number(events),
  cert: readFileSync(certFile ?? '', 'utf8'),
  key: readFileSync(keyFile ?? '', 'utf8'),
})
const tell = () => process.send?.({ url: server.url, connections: server.connections() })
process.on('message', tell)
process.on('disconnect', () => process.exit())
tell()
