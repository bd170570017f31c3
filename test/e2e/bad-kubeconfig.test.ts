/**
 * What a user gets wrong about a cluster, through the command line: exit code 2, nothing on stdout,
 * and on stderr what is wrong and what to do.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { certificates, type Pair } from '../certificates.ts'
import { type Answer, kubeServer, type KubeServer, sendJson, sendStatus } from '../kube-server.ts'
import { document, folder, type Plain, save } from '../kubeconfigs.ts'
import { root, run } from '../run.ts'

const made = certificates()

/** So that nothing here depends on this machine's cgroups. */
const cgroups = join(folder, 'cgroups')
mkdirSync(cgroups)
writeFileSync(join(cgroups, 'cgroup.controllers'), 'cpu memory\n')

const listen = ['--listen', '127.0.0.1:0']
const commands = {
  explain: ['explain', 'pod', 'default/x'],
  agent: ['agent', '--node', 'n', '--cgroup-mount', cgroups, ...listen],
  controller: ['controller', ...listen],
}
type Command = keyof typeof commands
const every: readonly Command[] = ['explain', 'agent', 'controller']

/** Runs it as `bin/mbcas` does, without the set-up before it, and returns what it says to the user. */
async function complaint(command: Command, more: readonly string[]): Promise<string> {
  const args = [join(root, 'dist', 'src', 'main.js'), ...commands[command], ...more]
  // No environment leads to another cluster.
  const env = { KUBECONFIG: '', HOME: folder, KUBERNETES_SERVICE_HOST: '' }
  const { code, stdout, stderr } = await run(process.execPath, args, { env, timeout: 30_000 })
  assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, stderr)
  // Before it comes the log of a service that stops.
  const said = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{"time"'))
  assert.deepEqual(
    said.filter((line) => !line.startsWith('mbcas: ')),
    [],
  )
  return said.map((line) => line.replace('mbcas: ', '')).join('\n')
}

const config = (parts: Plain, name = 'config'): string => save(document(parts), name)

/** A kubeconfig for a loopback server. */
const configFor = (server: KubeServer, parts: Plain = {}, name = 'config'): string =>
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
const healthy: Answer = (request, response) => {
  const { path, query } = request
  if (query.has('watch'))
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
  else if (path === '/version')
    sendJson(response, { major: '1', minor: '36', gitVersion: 'v1.36.0' })
  else if (path.endsWith('/nodes/n'))
    sendJson(response, { metadata: { name: 'n' }, status: { allocatable: { cpu: '4' } } })
  else if (path.includes('/leases/')) {
    const spec = { holderIdentity: 'another', leaseDurationSeconds: 15 }
    sendJson(response, { metadata: { name: 'mbcas-controller', resourceVersion: '1' }, spec })
  } else if (/\/(pods|nodes|podallocations)$/.test(path))
    sendJson(response, { metadata: { resourceVersion: '1' }, items: [] })
  else notFound(request, response)
}

const withServer = async (
  answer: Answer,
  work: (server: KubeServer) => Promise<void>,
  options?: ServerOptions,
): Promise<void> => {
  const server = await kubeServer(answer, options)
  await work(server).finally(server.close)
}

type Row = {
  readonly name: string
  readonly says: RegExp
  /** Of all commands, if not said. */
  readonly of?: readonly Command[]
}

/** Every command says it. */
function refusals<R extends Row>(rows: readonly R[], kubeconfigOf: (row: R) => string): void {
  for (const row of rows) {
    void test(row.name, async () => {
      const more = ['--kubeconfig', kubeconfigOf(row)]
      await Promise.all(
        (row.of ?? every).map(async (command) =>
          assert.match(await complaint(command, more), row.says),
        ),
      )
    })
  }
}

void describe('a kubeconfig that cannot be used', () => {
  const rows: readonly (Row & { readonly file: () => string })[] = [
    {
      name: 'is not there',
      file: () => join(folder, 'none'),
      says: /^reading .*none: there is no such file; name a readable kubeconfig with --kubeconfig or KUBECONFIG$/,
    },
    {
      name: 'is a folder',
      file: () => folder,
      says: /^reading .*: it is a folder; name a readable kubeconfig with --kubeconfig or KUBECONFIG$/,
    },
    {
      name: 'is not YAML',
      file: () => save('clusters: [\nusers: {token: secret', 'no-yaml'),
      says: /XXX/,
    },
    {
      name: 'is some other text',
      file: () => save('hello\n', 'text'),
      says: /XXX/,
    },
    {
      name: 'is empty',
      file: () => save('', 'empty'),
      says: /XXX/,
    },
    {
      name: 'has no current-context',
      file: () => config({ 'current-context': undefined }, 'contextless'),
      says: /XXX/,
    },
    {
      name: 'has a current-context that it does not know',
      file: () => config({ 'current-context': 'hom' }, 'other-context'),
      says: /XXX/,
    },
    {
      name: 'has a context of an unknown cluster',
      file: () => config({ context: { cluster: 'production' } }, 'other-cluster'),
      says: /XXX/,
    },
    {
      name: 'has a context of an unknown user',
      file: () => config({ context: { user: 'admin' } }, 'other-user'),
      says: /XXX/,
    },
    {
      name: 'names a CA that is not there',
      file: () => config({ cluster: { 'certificate-authority': 'gone.crt' } }, 'no-ca'),
      says: /XXX/,
    },
  ]
  refusals(rows, ({ file }) => file())

  void test('is nowhere, and this is no pod', async () => {
    for (const command of every) assert.match(await complaint(command, []), /XXX/)
  })
})

void describe('a server that is not trusted or does not trust', () => {
  type Case = Row & {
    readonly server?: Pair
    readonly cluster?: Plain
    readonly user?: Plain
    readonly answer?: Answer
    readonly options?: ServerOptions
  }
  const refuses: Answer = (_, response) =>
    sendStatus(response, 401, { reason: 'Unauthorized', message: 'Unauthorized' })
  const expired = {
    'client-certificate': made.expiredClient.certFile,
    'client-key': made.expiredClient.keyFile,
  }
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never' }
  mkdirSync(join(folder, 'a-folder'))
  writeFileSync(join(folder, 'empty-token'), '')
  const rows: readonly Case[] = [
    { name: 'its certificate has expired', server: made.expiredServer, says: /XXX/ },
    { name: 'its certificate is of another CA', server: made.serverOfOtherCa, says: /XXX/ },
    { name: 'its certificate is for another name', server: made.serverElsewhere, says: /XXX/ },
    {
      name: 'the kubeconfig has no CA for it',
      cluster: { 'certificate-authority': undefined },
      says: /XXX/,
    },
    {
      name: 'the client certificate has expired, and the API server says 401',
      user: expired,
      answer: refuses,
      says: /XXX/,
    },
    {
      name: 'the client certificate has expired, and the connection is refused',
      user: expired,
      options: { rejectUnauthorized: true },
      says: /XXX/,
    },
    { name: 'the token is refused', answer: refuses, says: /XXX/ },
    { name: 'there are no credentials', user: {}, answer: refuses, says: /XXX/ },
    { name: 'the token file is not there', user: { tokenFile: 'no-token' }, says: /XXX/ },
    { name: 'the token file is a folder', user: { tokenFile: 'a-folder' }, says: /XXX/ },
    { name: 'the token file is empty', user: { tokenFile: 'empty-token' }, says: /XXX/ },
    {
      name: 'the exec plugin is not installed',
      user: {
        exec: { ...exec, command: 'no-such-plugin', installHint: 'get it from example.com' },
      },
      says: /XXX/,
    },
    {
      name: 'the exec plugin fails',
      user: {
        exec: { ...exec, command: 'sh', args: ['-c', 'echo the session has ended >&2; exit 3'] },
      },
      says: /XXX/,
    },
    {
      name: 'the exec plugin gives a token that is refused',
      user: {
        exec: {
          ...exec,
          command: 'echo',
          args: [
            JSON.stringify({
              kind: 'ExecCredential',
              apiVersion: exec.apiVersion,
              status: { token: 'old' },
            }),
          ],
        },
      },
      answer: refuses,
      says: /XXX/,
    },
  ]
  for (const row of rows) {
    const { name, server, cluster = {}, user, answer = healthy, options = {}, says } = row
    void test(name, async () => {
      const pair = server && { cert: server.cert, key: server.key }
      await withServer(
        answer,
        async (server) => {
          const path = configFor(server, { cluster, ...(user && { user }) }, 'trust')
          await Promise.all(
            every.map(async (command) =>
              assert.match(await complaint(command, ['--kubeconfig', path]), says),
            ),
          )
        },
        { ...pair, ...options },
      )
    })
  }

  void test('nothing listens there', async () => {
    const server = await kubeServer(healthy)
    await server.close()
    const path = configFor(server, {}, 'refused')
    for (const command of every)
      assert.match(await complaint(command, ['--kubeconfig', path]), /XXX/)
  })

  void test('it does not speak TLS', async () => {
    const plain = createServer((_, response) => response.end('hello'))
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
    const { port } = plain.address() as AddressInfo
    const path = config({ cluster: { server: `https://127.0.0.1:${port}` } }, 'plain')
    for (const command of every)
      assert.match(await complaint(command, ['--kubeconfig', path]), /XXX/)
    plain.close()
  })
})

void describe('a cluster that is not what is needed', () => {
  const without =
    (part: string): Answer =>
    (request, response) => {
      if (!request.path.includes(part)) healthy(request, response)
      else response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n')
    }
  const old: Answer = (request, response) => {
    if (request.path !== '/version') healthy(request, response)
    else sendJson(response, { major: '1', minor: '30', gitVersion: 'v1.30.4' })
  }
  const rows: readonly (Row & { readonly answer: Answer })[] = [
    {
      name: 'without our CRD',
      answer: without('podallocations'),
      of: ['agent', 'controller'],
      says: /XXX/,
    },
    { name: 'too old', answer: old, of: ['controller'], says: /XXX/ },
    {
      name: 'without the node',
      answer: without('/nodes/n'),
      of: ['agent'],
      says: /XXX/,
    },
    { name: 'without the pod', answer: healthy, of: ['explain'], says: /XXX/ },
    {
      name: 'that forbids',
      answer: (_, response) =>
        sendStatus(response, 403, { reason: 'Forbidden', message: 'user "u" cannot get that' }),
      says: /XXX/,
    },
    {
      name: 'that is something else',
      answer: (_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>'),
      says: /XXX/,
    },
  ]
  for (const { name, answer, of = every, says } of rows) {
    void test(name, async () => {
      await withServer(answer, async (server) => {
        const more = ['--kubeconfig', configFor(server, {}, 'cluster')]
        for (const command of of) assert.match(await complaint(command, more), says)
      })
    })
  }
})

void describe('flags that cannot be used', () => {
  let server: KubeServer
  let kubeconfig: string
  before(async () => {
    server = await kubeServer(healthy)
    kubeconfig = configFor(server, {}, 'flags')
  })
  after(async () => server.close())

  const flags: readonly (Row & { readonly args: () => readonly string[] })[] = [
    {
      name: '--listen on a port that is taken',
      args: () => ['--listen', `127.0.0.1:${server.port}`],
      of: ['agent', 'controller'],
      says: /XXX/,
    },
    {
      name: '--listen without a port',
      args: () => ['--listen', 'localhost'],
      of: ['agent', 'controller'],
      says: /XXX/,
    },
    {
      name: '--interval without a unit',
      args: () => ['--interval', '15'],
      of: ['agent'],
      says: /XXX/,
    },
    { name: '--interval too long', args: () => ['--interval', '2h'], of: ['agent'], says: /XXX/ },
    {
      name: '--sampling-interval too short',
      args: () => ['--sampling-interval', '1ms'],
      of: ['agent'],
      says: /XXX/,
    },
    {
      name: '--cgroup-mount elsewhere',
      args: () => ['--cgroup-mount', '/nowhere'],
      of: ['agent'],
      says: /XXX/,
    },
  ]
  for (const { name, args, of = every, says } of flags) {
    void test(name, async () => {
      for (const command of of)
        assert.match(await complaint(command, ['--kubeconfig', kubeconfig, ...args()]), says)
    })
  }

  for (const place of ['x', '/x', 'default/', 'default/x/y', '']) {
    void test(`a pod named "${place}"`, async () => {
      const args = [join(root, 'dist', 'src', 'main.js'), 'explain', 'pod', place]
      const ran = await run(process.execPath, [...args, '--kubeconfig', kubeconfig])
      const stderr = `mbcas: explaining a pod: expected NAMESPACE/NAME, got "${place}"\n`
      assert.deepEqual(ran, { code: 2, stdout: '', stderr })
    })
  }
})
