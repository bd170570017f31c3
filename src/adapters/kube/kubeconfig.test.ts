import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { after, describe, test } from 'node:test'

import { certificates } from '../../../test/certificates.ts'
import { each } from '../../../test/each.ts'
import { InvalidInput } from '../../core/errors.ts'
import { formatYaml } from '../document.ts'
import { loadKubeconfig } from './kubeconfig.ts'

type Plain = Record<string, unknown>

const folder = mkdtempSync(join(tmpdir(), 'mbcas-kubeconfig-'))
after(() => rmSync(folder, { recursive: true }))

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A kubeconfig of one context, cluster and user, of which a test states only what differs. */
const document = ({ cluster = {}, user = {}, context = {}, ...top }: Plain = {}): Plain => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'home',
  contexts: [{ name: 'home', context: { cluster: 'c', user: 'u', ...(context as Plain) } }],
  clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:6443', ...(cluster as Plain) } }],
  users: [{ name: 'u', user: user as Plain }],
  ...top,
})

function save(text: string | Plain, name = 'config'): string {
  const path = join(folder, name)
  writeFileSync(path, typeof text === 'string' ? text : formatYaml(text))
  return path
}

const load = (parts: Plain = {}, context?: string) =>
  loadKubeconfig({
    path: save(document(parts)),
    env: {},
    home: folder,
    ...(context === undefined ? {} : { context }),
  })

void describe('adapters/kube: what a kubeconfig says', () => {
  void test('the current context, its cluster, user and namespace', () => {
    const config = load({ context: { namespace: 'team' }, user: { token: 't' } })
    assert.deepEqual(config, {
      server: 'https://127.0.0.1:6443',
      cluster: `cluster "c" of ${folder}/config`,
      ca: undefined,
      insecure: false,
      serverName: undefined,
      compression: true,
      namespace: 'team',
      user: {
        name: `user "u" of ${folder}/config`,
        certificate: undefined,
        secret: {
          kind: 'token',
          token: { text: 't', name: `the token of user "u" of ${folder}/config` },
        },
        impersonation: {},
      },
    })
  })

  void test('another context by name, and the namespace default when none is said', () => {
    const contexts = [{ name: 'away', context: { cluster: 'c', user: 'u' } }]
    assert.equal(load({ contexts }, 'away').namespace, 'default')
  })

  void test('a path of a server stays, its last slash goes', () => {
    const server = 'https://rancher/k8s/clusters/c-1/'
    assert.equal(load({ cluster: { server } }).server, 'https://rancher/k8s/clusters/c-1')
  })

  void test('verification, its name and compression', () => {
    const cluster = {
      'insecure-skip-tls-verify': true,
      'tls-server-name': 'kubernetes.default',
      'disable-compression': true,
    }
    const { insecure, serverName, compression } = load({ cluster })
    assert.deepEqual(
      { insecure, serverName, compression },
      {
        insecure: true,
        serverName: 'kubernetes.default',
        compression: false,
      },
    )
  })

  void test('files are relative to the kubeconfig, and text in place wins over them', () => {
    const { ca, client } = certificates()
    save(ca.cert, 'ca.crt')
    save(client.cert, 'client.crt')
    const config = load({
      cluster: { 'certificate-authority': 'ca.crt' },
      user: {
        'client-certificate': 'client.crt',
        'client-key': 'missing.key',
        'client-key-data': base64(client.key),
        tokenFile: 'token',
        token: 'old',
      },
    })
    const { certificate, secret } = config.user
    assert.equal(
      config.ca !== undefined && 'file' in config.ca && config.ca.file,
      join(folder, 'ca.crt'),
    )
    assert.ok(certificate !== undefined && 'text' in certificate.key)
    assert.equal(certificate.key.text, client.key)
    assert.ok(secret.kind === 'token' && 'file' in secret.token)
    assert.equal(secret.token.file, join(folder, 'token'))
  })

  void test('a password, and whom to impersonate', () => {
    const { user } = load({
      user: {
        username: 'me',
        password: 'pw',
        as: 'alice',
        'as-groups': ['dev', 'ops'],
        'as-user-extra': { 'example.com/team': ['x'] },
      },
    })
    assert.deepEqual(user.secret, { kind: 'password', username: 'me', password: 'pw' })
    assert.deepEqual(user.impersonation, {
      'Impersonate-User': 'alice',
      'Impersonate-Group': ['dev', 'ops'],
      'Impersonate-Extra-example.com%2Fteam': ['x'],
    })
  })

  void test('an exec plugin: a path is relative to the file, a name is left to the PATH', () => {
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: './get-token',
      args: ['--cluster', 'c'],
      env: [{ name: 'AWS_PROFILE', value: 'dev' }],
      installHint: ' get it from example.com \n',
      provideClusterInfo: true,
      interactiveMode: 'Never',
    }
    const cluster = {
      'certificate-authority-data': base64(certificates().ca.cert),
      extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } }],
    }
    const { secret } = load({ cluster, user: { exec } }).user
    assert.ok(secret.kind === 'exec')
    assert.deepEqual(secret.plugin, {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: join(folder, 'get-token'),
      args: ['--cluster', 'c'],
      env: { AWS_PROFILE: 'dev' },
      installHint: 'get it from example.com',
      interactiveMode: 'Never',
      cluster: {
        server: 'https://127.0.0.1:6443',
        'tls-server-name': undefined,
        'insecure-skip-tls-verify': undefined,
        'certificate-authority-data': base64(certificates().ca.cert),
        config: { audience: 'a' },
      },
    })
    const named = load({ user: { exec: { ...exec, command: 'aws', provideClusterInfo: false } } })
    assert.ok(named.user.secret.kind === 'exec')
    assert.equal(named.user.secret.plugin.command, 'aws')
    assert.equal(named.user.secret.plugin.cluster, undefined)
  })
})

void describe('adapters/kube: several kubeconfigs', () => {
  void test('of entries with one name the first wins; a missing file and an empty one do no harm', () => {
    const first = save({ ...document({ 'current-context': '', users: null }) }, 'first')
    const second = save(
      document({
        'current-context': 'away',
        cluster: { server: 'https://second' },
        contexts: [{ name: 'away', context: { cluster: 'c', user: 'u' } }],
        user: { token: 'second' },
      }),
      'second',
    )
    const list = [join(folder, 'missing'), first, save('', 'empty'), second].join(delimiter)
    const config = loadKubeconfig({ env: { KUBECONFIG: list }, home: folder })
    assert.equal(config.server, 'https://127.0.0.1:6443')
    assert.equal(config.user.name, `user "u" of ${second}`)
  })
})

const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'aws' }
const wrong: readonly { name: string; parts: Plain; context?: string; says: RegExp }[] = [
  {
    name: 'no current-context',
    parts: { 'current-context': undefined },
    says: /^reading .*config: there is no current-context; choose one of home: kubectl config use-context home, or --context home$/,
  },
  {
    name: 'nothing in it',
    parts: { 'current-context': undefined, contexts: null },
    says: /there is no current-context; it has no contexts either: is it the right file\?$/,
  },
  {
    name: 'a context that is not there',
    parts: {},
    context: 'hom',
    says: /there is no context "hom"; known are home; did you mean "home"\?$/,
  },
  {
    name: 'a cluster that is not there',
    parts: { context: { cluster: 'production' } },
    says: /there is no cluster "production", which context "home" of .*config names; known are c$/,
  },
  {
    name: 'a user that is not there',
    parts: { users: [] },
    says: /there is no user "u", which context "home" of .*config names; there are no users$/,
  },
  {
    name: 'a context without a cluster',
    parts: { context: { cluster: '' } },
    says: /it names no cluster$/,
  },
  {
    name: 'a server that is no URL',
    parts: { cluster: { server: 'localhost:8080' } },
    says: /cluster "c" of .*: expected server to be a URL such as https:\/\/host:6443, got "localhost:8080"$/,
  },
  {
    name: 'no server',
    parts: { clusters: [{ name: 'c' }] },
    says: /to be a URL such as .*, got null$/,
  },
  {
    name: 'a proxy',
    parts: { cluster: { 'proxy-url': 'http://proxy' } },
    says: /proxy-url is not supported; remove it and reach https:\/\/127\.0\.0\.1:6443 directly/,
  },
  {
    name: 'bad base64',
    parts: { cluster: { 'certificate-authority-data': '-----BEGIN CERTIFICATE-----' } },
    says: /certificate-authority-data of cluster "c" of .*: expected base64, got "-----BEGIN CERTIFICA\.\.\."; make it with base64 -w0/,
  },
  {
    name: 'base64 of something else',
    parts: { cluster: { 'certificate-authority-data': base64('hello') } },
    says: /certificate-authority of cluster "c" of .*: expected a certificate in PEM, got something else/,
  },
  {
    name: 'a CA file that is not there',
    parts: { cluster: { 'certificate-authority': 'gone.crt' } },
    says: /certificate-authority of cluster "c" of .*: reading .*gone\.crt: there is no such file; check the path/,
  },
  {
    name: 'a certificate without its key',
    parts: { user: { 'client-certificate-data': base64(certificates().client.cert) } },
    says: /user "u" of .*: client-key is missing; the two go together$/,
  },
  {
    name: 'a token and a username',
    parts: { user: { token: 't', username: 'me' } },
    says: /it has a token and a username; keep one of them$/,
  },
  {
    name: 'an auth provider of old',
    parts: { user: { 'auth-provider': { name: 'gcp' } } },
    says: /the auth-provider "gcp" is not supported \(Kubernetes 1\.26 removed them\); use an exec plugin/,
  },
  {
    name: 'an exec plugin of an old version',
    parts: { user: { exec: { ...exec, apiVersion: 'client.authentication.k8s.io/v1alpha1' } } },
    says: /expected the apiVersion of exec to be client\.authentication\.k8s\.io\/v1 or .*v1beta1, got ".*v1alpha1"; update aws/,
  },
  {
    name: 'an exec plugin without a command',
    parts: { user: { exec: {} } },
    says: /exec has no command$/,
  },
  {
    name: 'a number for text',
    parts: { user: { token: 7 } },
    says: /^reading kubeconfig .*config: user 1: user: expected token to be text, got 7$/,
  },
]

void describe('adapters/kube: what is wrong with a kubeconfig', () => {
  each(wrong, ({ parts, context, says }) => {
    assert.throws(
      () => load(parts, context),
      (error: Error) => {
        assert.ok(error instanceof InvalidInput)
        assert.match(error.message, says)
        return true
      },
    )
  })

  void test('it is not there', () => {
    const home = join(folder, 'nobody')
    assert.throws(
      () => loadKubeconfig({ env: {}, home }),
      /^InvalidInput: looking for a kubeconfig: there is no .*nobody\/\.kube\/config; name one with --kubeconfig or KUBECONFIG, or run in a pod/,
    )
    assert.throws(
      () => loadKubeconfig({ path: '/nowhere/config', env: {}, home }),
      /reading \/nowhere\/config: there is no such file; name a readable kubeconfig with/,
    )
    assert.throws(
      () => loadKubeconfig({ env: { KUBECONFIG: `/a${delimiter}/b` }, home }),
      /there is no \/a, no \/b;/,
    )
  })

  void test('it is not readable, or not YAML', (t) => {
    assert.throws(
      () => loadKubeconfig({ path: save('a: [', 'broken'), env: {}, home: folder }),
      /reading kubeconfig .*broken: /,
    )
    const secret = save(document(), 'secret')
    chmodSync(secret, 0)
    if (process.getuid?.() === 0) {
      t.diagnostic(`root reads ${basename(secret)} all the same; a folder stands in for it`)
      assert.throws(
        () => loadKubeconfig({ path: folder, env: {}, home: folder }),
        /it is a folder; name a readable/,
      )
    } else {
      assert.throws(
        () => loadKubeconfig({ path: secret, env: {}, home: folder }),
        /permission denied; name a readable/,
      )
    }
  })
})
