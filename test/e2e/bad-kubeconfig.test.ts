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
  else if (path.endsWith('/leases'))
    sendStatus(response, 409, { reason: 'AlreadyExists', message: 'it is there' })
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
  try {
    await work(server)
  } finally {
    await server.close()
  }
}

type Row = {
  readonly name: string
  readonly says: RegExp
  /** Of all commands, if not said. */
  readonly of?: readonly Command[]
}

async function allSay(says: RegExp, more: readonly string[], of = every): Promise<void> {
  const complaints = of.map(async (command) => complaint(command, more))
  for (const said of await Promise.all(complaints)) assert.match(said, says)
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
      says: /^reading kubeconfig .*no-yaml: .* at line 2, column 1; mend it, or name another with --kubeconfig or KUBECONFIG$/,
    },
    {
      name: 'is some other text',
      file: () => save('hello\n', 'text'),
      says: /: expected an object with clusters, users and contexts, got "hello"; mend it, or name another/,
    },
    {
      name: 'is empty',
      file: () => save('', 'empty'),
      says: /empty: there is no current-context; it has no contexts either: is it the right file\?$/,
    },
    {
      name: 'has no current-context',
      file: () => config({ 'current-context': undefined }, 'contextless'),
      says: /: there is no current-context; choose one of home: kubectl config use-context home --kubeconfig .*contextless$/,
    },
    {
      name: 'has a current-context that it does not know',
      file: () => config({ 'current-context': 'hom' }, 'other-context'),
      says: /: there is no context "hom"; known are home .*; kubectl config use-context home --kubeconfig .*other-context$/,
    },
    {
      name: 'has a context of an unknown cluster',
      file: () => config({ context: { cluster: 'production' } }, 'other-cluster'),
      says: /: there is no cluster "production", which context "home" .* names; known are c; name a known one .*, or add it with kubectl config set-cluster$/,
    },
    {
      name: 'has a context of an unknown user',
      file: () => config({ context: { user: 'admin' } }, 'other-user'),
      says: /: there is no user "admin", which context "home" .* names; known are u; name a known one .*, or add it with kubectl config set-credentials$/,
    },
    {
      name: 'names a CA that is not there',
      file: () => config({ cluster: { 'certificate-authority': 'gone.crt' } }, 'no-ca'),
      says: /^reading certificate-authority of cluster "c" .*gone\.crt: there is no such file; check the path, and that uid \d+ may read it$/,
    },
  ]
  for (const { name, file, says } of rows)
    void test(name, async () => allSay(says, ['--kubeconfig', file()]))

  void test('is nowhere, and this is no pod', async () => {
    await allSay(
      /\.kube\/config; name one with --kubeconfig or KUBECONFIG, or run in a pod of the cluster$/,
      [],
    )
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
    {
      name: 'its certificate has expired',
      server: made.expiredServer,
      says: / of "expired-server" by "test-ca", expired on 20.*Z: renew the API server's certificate \(kubeadm certs renew apiserver\), or check this machine's clock$/,
    },
    {
      name: 'its certificate is of another CA',
      server: made.serverOfOtherCa,
      says: / of "other-server" by "other-ca", is not signed by the CA in .*test-ca\.crt .*: is this the server of cluster "c" of .*\? If so, give its CA as certificate-authority$/,
    },
    {
      name: 'its certificate is for another name',
      server: made.serverElsewhere,
      says: / is for kubernetes\.default, not for 127\.0\.0\.1: set tls-server-name: kubernetes\.default in cluster "c" of .*, or use an address that it is for$/,
    },
    {
      name: 'the kubeconfig has no CA for it',
      cluster: { 'certificate-authority': undefined },
      says: / is not signed by a CA that this machine knows .*: give the cluster's CA as certificate-authority of cluster "c" of /,
    },
    {
      name: 'the client certificate has expired, and the API server says 401',
      user: expired,
      answer: refuses,
      says: /401 Unauthorized: Unauthorized; the client certificate of user "u" of .*expired-client\.crt\) expired on 20.*Z: renew it$/,
    },
    {
      name: 'the client certificate has expired, and the connection is refused',
      user: expired,
      options: { rejectUnauthorized: true },
      says: /: the client certificate of user "u" of .*expired-client\.crt\) expired on 20.*Z: renew it$/,
    },
    {
      name: 'the token is refused',
      answer: refuses,
      says: /401 Unauthorized.*; the token of user "u" of .* is expired or wrong: put a new one there$/,
    },
    {
      name: 'there are no credentials',
      user: {},
      answer: refuses,
      says: /401 Unauthorized.*; user "u" of .* has no credentials: give it a token, a client certificate or an exec plugin$/,
    },
    {
      name: 'the token file is not there',
      user: { tokenFile: 'no-token' },
      says: /: the token of user "u" of .*no-token: there is no such file; check the path, and that uid \d+ may read it$/,
    },
    {
      name: 'the token file is a folder',
      user: { tokenFile: 'a-folder' },
      says: /a-folder: it is a folder; check the path, and that uid \d+ may read it$/,
    },
    {
      name: 'the token file is empty',
      user: { tokenFile: 'empty-token' },
      says: /empty-token is empty; write it again, or name another file$/,
    },
    {
      name: 'the exec plugin is not installed',
      user: {
        exec: { ...exec, command: 'no-such-plugin', installHint: 'get it from example.com' },
      },
      says: /: running the exec plugin no-such-plugin of user "u" of .*: it is not installed, or not on the PATH: get it from example\.com$/,
    },
    {
      name: 'the exec plugin fails',
      user: {
        exec: { ...exec, command: 'sh', args: ['-c', 'echo the session has ended >&2; exit 3'] },
      },
      says: /: running the exec plugin sh of user "u" .*: it ended with 3: the session has ended; log in again, or run it by hand to see why$/,
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
      says: /401 Unauthorized.*; the exec plugin echo of user "u" of .* log in to its cloud again, and see that this identity may use the cluster$/,
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
          await allSay(says, ['--kubeconfig', path])
        },
        { ...pair, ...options },
      )
    })
  }

  void test('nothing listens there', async () => {
    const server = await kubeServer(healthy)
    await server.close()
    const path = configFor(server, {}, 'refused')
    await allSay(
      /: connection refused: is the API server running\? the address is from cluster "c" of .*refused \(5 tries/,
      ['--kubeconfig', path],
    )
  })

  void test('it does not speak TLS', async () => {
    const plain = createServer((_, response) => response.end('hello'))
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
    after(() => plain.close())
    const { port } = plain.address() as AddressInfo
    const path = config({ cluster: { server: `https://127.0.0.1:${port}` } }, 'plain')
    await allSay(
      /: it does not speak TLS .*: is the port right, or should the server of cluster "c" of .* start with http:\/\/\?$/,
      ['--kubeconfig', path],
    )
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
      says: /: the server could not find the requested resource; .*: kubectl apply -f deploy\/crds$/,
    },
    {
      name: 'too old',
      answer: old,
      of: ['controller'],
      says: /: expected Kubernetes 1\.33 or later, which resizes pods in place, got v1\.30\.4; upgrade the cluster$/,
    },
    {
      name: 'without the namespace of the lease',
      answer: (request, response) => {
        const message = 'namespaces "mbcas-system" not found'
        if (!request.path.endsWith('/leases')) healthy(request, response)
        else sendStatus(response, 404, { reason: 'NotFound', message })
      },
      of: ['controller'],
      says: /there is no namespace mbcas-system; kubectl create namespace mbcas-system, or name another with --lease-namespace$/,
    },
    {
      name: 'without the node',
      answer: without('/nodes/n'),
      of: ['agent'],
      says: /^finding node n: there is none; give --node a name that kubectl get nodes shows$/,
    },
    {
      name: 'without the pod',
      answer: healthy,
      of: ['explain'],
      says: /^explaining a pod: there is no pod x in the namespace default/,
    },
    {
      name: 'that forbids',
      answer: (_, response) =>
        sendStatus(response, 403, {
          reason: 'Forbidden',
          message: 'User "u" cannot get resource "that"',
        }),
      says: /403 Forbidden: .*; grant it with a Role or ClusterRole \(kubectl auth can-i --list shows/,
    },
    {
      name: 'that is something else',
      answer: (_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>'),
      of: ['explain', 'agent'],
      says: /<html>hello<\/html>; is this an API server\?$/,
    },
  ]
  for (const { name, answer, of = every, says } of rows) {
    void test(name, async () => {
      await withServer(answer, async (server) => {
        const more = ['--kubeconfig', configFor(server, {}, 'cluster')]
        await allSay(says, more, of)
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
      says: /: port \d+ is taken by another process; stop it, or choose another port$/,
    },
    {
      name: '--listen without a port',
      args: () => ['--listen', 'localhost'],
      of: ['agent', 'controller'],
      says: /^--listen: expected an address such as :8082 or 127\.0\.0\.1:8082, got "localhost"$/,
    },
    {
      name: '--interval without a unit',
      args: () => ['--interval', '15'],
      of: ['agent'],
      says: /^--interval: expected a duration such as 250ms or 15s, from 1s to 600s, got "15"$/,
    },
    {
      name: '--interval too long',
      args: () => ['--interval', '2h'],
      of: ['agent'],
      says: /^--interval: expected a duration such as .*, from 1s to 600s, got "2h"$/,
    },
    {
      name: '--sampling-interval too short',
      args: () => ['--sampling-interval', '1ms'],
      of: ['agent'],
      says: /^--sampling-interval: expected a duration such as .*, from 100ms to 10s, got "1ms"$/,
    },
    {
      name: '--cgroup-mount elsewhere',
      args: () => ['--cgroup-mount', '/nowhere'],
      of: ['agent'],
      says: /^finding the CPU cgroups below \/nowhere: .*; give the mount point with --cgroup-mount$/,
    },
  ]
  for (const { name, args, of = every, says } of flags) {
    void test(name, async () => {
      await allSay(says, ['--kubeconfig', kubeconfig, ...args()], of)
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
