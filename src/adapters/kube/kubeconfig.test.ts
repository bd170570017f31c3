import assert from 'node:assert/strict'
import { delimiter, join } from 'node:path'
import { describe, test } from 'node:test'

import { certificates } from '../../../test/certificates.ts'
import { base64, document, folder, load, save } from '../../../test/kubeconfigs.ts'
import { loadKubeconfig } from './kubeconfig.ts'

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
