import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { inClusterConfig } from './in-cluster.ts'
import { loadConfig } from './load-config.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-account-'))
after(() => rmSync(folder, { recursive: true }))

const inPod = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' }

void describe('adapters/kube: in a pod', () => {
  void test('a pod without a token is told how to get one', () => {
    assert.throws(
      () => inClusterConfig({ env: inPod, folder: join(folder, 'none') }),
      /there is no .*none\/token; set automountServiceAccountToken: true on the pod/,
    )
  })

  void test('the address is from the environment, the rest from the account', () => {
    writeFileSync(join(folder, 'token'), 'secret\n')
    writeFileSync(join(folder, 'ca.crt'), 'PEM')
    writeFileSync(join(folder, 'namespace'), 'mbcas-system\n')
    const config = inClusterConfig({ env: inPod, folder })
    assert.equal(config.server, 'https://10.96.0.1:443')
    assert.equal(config.namespace, 'mbcas-system')
    assert.deepEqual(config.ca, {
      file: join(folder, 'ca.crt'),
      name: 'the CA of the service account of this pod',
    })
    const six = inClusterConfig({ env: { ...inPod, KUBERNETES_SERVICE_HOST: 'fd00::1' }, folder })
    assert.equal(six.server, 'https://[fd00::1]:443')
  })

  void test('outside of a pod there is no account', () => {
    assert.throws(
      () => inClusterConfig({ env: {}, folder }),
      /KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set; run in a pod, or name a kubeconfig/,
    )
  })

  void test('a kubeconfig that is asked for comes before the pod, the one at home after it', async () => {
    const home = join(folder, 'home')
    await assert.rejects(loadConfig({ env: inPod, home }), /service account: there is no/)
    await assert.rejects(
      loadConfig({ env: { ...inPod, KUBECONFIG: '/nowhere' }, home }),
      /there is no \/nowhere/,
    )
    await assert.rejects(
      loadConfig({ env: inPod, home, kubeconfig: '/nowhere' }),
      /reading \/nowhere: there is no such file/,
    )
    await assert.rejects(loadConfig({ env: {}, home }), /there is no .*home\/\.kube\/config/)
  })
})
