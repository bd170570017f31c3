/** Kubeconfigs that cannot be used, and servers that are not trusted or do not trust. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import type { Pair } from '../certificates.ts'
import { made, config, configFor, healthy, withServer, type Row, allSay } from '../complaint.ts'
import { type Answer, kubeServer, sendStatus } from '../kube-server.ts'
import { folder, type Plain, save } from '../kubeconfigs.ts'

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
