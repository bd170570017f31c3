import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { describe, test } from 'node:test'

import { certificates } from '../../../test/certificates.ts'
import { each } from '../../../test/each.ts'
import { base64, document, folder, load, type Plain, save } from '../../../test/kubeconfigs.ts'
import { InvalidInput } from '../../core/errors.ts'
import { loadKubeconfig } from './kubeconfig.ts'

const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'aws' }
const wrong: readonly { name: string; parts: Plain; context?: string; says: RegExp }[] = [
  {
    name: 'no current-context',
    parts: { 'current-context': undefined },
    says: /^reading .*config: there is no current-context; choose one of home: kubectl config use-context home --kubeconfig .*config$/,
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
    says: /there is no context "hom"; known are home \(did you mean "home"\?\); kubectl config use-context home --kubeconfig .*config$/,
  },
  {
    name: 'a cluster that is not there',
    parts: { context: { cluster: 'production' } },
    says: /there is no cluster "production", which context "home" of .*config names; known are c; name a known one in the context, or add it with kubectl config set-cluster$/,
  },
  {
    name: 'a user that is not there',
    parts: { users: [] },
    says: /there is no user "u", which context "home" of .*config names; there are no users; name a known one in the context, or add it with kubectl config set-credentials$/,
  },
  {
    name: 'a context without a cluster',
    parts: { context: { cluster: '' } },
    says: /it names no cluster; give it one with kubectl config set-context$/,
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
    says: /^reading kubeconfig .*config: user 1: user: expected token to be text, got 7; mend it, or name another with --kubeconfig or KUBECONFIG$/,
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
