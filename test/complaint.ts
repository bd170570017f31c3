/**
 * What a user gets wrong about a cluster, through the command line: exit code 2, nothing on stdout,
 * and on stderr what is wrong and what to do.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { ServerOptions } from 'node:https'
import { join } from 'node:path'

import { certificates } from './certificates.ts'
import { type Answer, kubeServer, type KubeServer, sendJson, sendStatus } from './kube-server.ts'
import { document, folder, type Plain, save } from './kubeconfigs.ts'
import { root, run } from './run.ts'

export const made = certificates()

/** So that nothing here depends on this machine's cgroups. */
export const cgroups = join(folder, 'cgroups')
mkdirSync(cgroups)
writeFileSync(join(cgroups, 'cgroup.controllers'), 'cpu memory\n')

export const listen = ['--listen', '127.0.0.1:0']
const commands = {
  explain: ['explain', 'pod', 'default/x'],
  agent: ['agent', '--node', 'n', '--cgroup-mount', cgroups, ...listen],
  controller: ['controller', ...listen],
}
type Command = keyof typeof commands
export const every: readonly Command[] = ['explain', 'agent', 'controller']

/** Runs it as `bin/mbcas` does, without the set-up before it, and returns what it says to the user. */
async function complaint(command: Command, more: readonly string[]): Promise<string> {
  const args = [join(root, 'dist', 'src', 'main.js'), ...commands[command], ...more]
  // No environment leads to another cluster.
  const env = { KUBECONFIG: '', HOME: folder, KUBERNETES_SERVICE_HOST: '' }
  const { code, stdout, stderr } = await run(process.execPath, args, { env })
  assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, stderr)
  // Before it comes the log of a service that stops.
  const said = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{"time"'))
  assert.deepEqual(
    said.filter((line) => !line.startsWith('mbcas: ')),
    [],
  )
  return said.map((line) => line.replace('mbcas: ', '')).join('\n')
}

export const config = (parts: Plain, name = 'config'): string => save(document(parts), name)

/** A kubeconfig for a loopback server. */
export const configFor = (server: KubeServer, parts: Plain = {}, name = 'config'): string =>
  config(
    {
      ...parts,
      cluster: {
        server: server.url,
        'certificate-authority': made.ca.certFile,
        ...(parts['cluster'] as Plain | undefined),
      },
      user: parts['user'] ?? { token: 'secret' },
    },
    name,
  )

const notFound: Answer = ({ path }, response) => {
  const name = path.split('/').at(-1)
  sendStatus(response, 404, { reason: 'NotFound', message: `"${name}" not found` })
}

/** A cluster in which nothing is wrong: of one node, with somebody else's lease and no pods. */
export const healthy: Answer = (request, response) => {
  const { path, query } = request
  if (query.has('watch'))
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
  else if (path === '/version')
    sendJson(response, { major: '1', minor: '36', gitVersion: 'v1.36.0' })
  else if (path === '/api/v1') sendJson(response, { resources: [{ name: 'pods/resize' }] })
  else if (path.endsWith('/nodes/n'))
    sendJson(response, { metadata: { name: 'n' }, status: { allocatable: { cpu: '4' } } })
  else if (path.endsWith('/leases'))
    sendStatus(response, 409, { reason: 'AlreadyExists', message: 'it is there' })
  else if (path.includes('/leases/')) {
    const spec = { holderIdentity: 'another', leaseDurationSeconds: 15 }
    sendJson(response, { metadata: { name: 'mbcas-controller', resourceVersion: '1' }, spec })
  } else if (/\/(pods|nodes|podallocations)$/.test(path))
    sendJson(response, { metadata: { resourceVersion: '1' }, items: [] })
  else notFound(request, response)
}

export const withServer = async (
  answer: Answer,
  work: (server: KubeServer) => Promise<void>,
  options?: ServerOptions,
): Promise<void> => {
  const server = await kubeServer(answer, options)
  try {
    await work(server)
  } finally {
    await server.close()
  }
}

export type Row = {
  readonly name: string
  readonly says: RegExp
  /** Of all commands, if not said. */
  readonly of?: readonly Command[]
}

export async function allSay(says: RegExp, more: readonly string[], of = every): Promise<void> {
  const complaints = of.map(async (command) => complaint(command, more))
  for (const said of await Promise.all(complaints)) assert.match(said, says)
}
