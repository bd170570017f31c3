import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import type { ExecPlugin } from './config.ts'
import { runExecPlugin } from './exec-plugin.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-exec-'))
after(() => rmSync(folder, { recursive: true }))

const v1 = 'client.authentication.k8s.io/v1'
let scripts = 0

function plugin(script: string, parts: Partial<ExecPlugin> = {}): ExecPlugin {
  const command = join(folder, `plugin-${scripts++}`)
  writeFileSync(command, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return {
    apiVersion: v1,
    command,
    args: [],
    env: {},
    installHint: undefined,
    interactiveMode: 'Never',
    cluster: undefined,
    ...parts,
  }
}

const printing = (credential: unknown) => `cat <<'END'\n${JSON.stringify(credential)}\nEND`
const user = 'user "eks" of /x/config'

void describe('adapters/kube: an exec plugin', () => {
  void test('gets its arguments, environment and what it is to know of the cluster', async () => {
    const script = `
      info=$(printf %s "$KUBERNETES_EXEC_INFO" | base64 -w0)
      echo '{"kind":"ExecCredential","apiVersion":"${v1}","status":{"token":"'"$1-$PROFILE-$info"'"}}'`
    const parts = { args: ['get-token'], env: { PROFILE: 'dev' }, cluster: { server: 'https://s' } }
    const { token = '' } = await runExecPlugin(plugin(script, parts), { user })
    assert.match(token, /^get-token-dev-/)
    assert.deepEqual(
      JSON.parse(Buffer.from(token.slice('get-token-dev-'.length), 'base64').toString()),
      {
        kind: 'ExecCredential',
        apiVersion: v1,
        spec: { cluster: { server: 'https://s' }, interactive: false },
      },
    )
  })

  void test('gives a token with its end, or a client certificate', async () => {
    const status = { token: 't', expirationTimestamp: '2026-01-01T00:10:00Z' }
    const answer = { kind: 'ExecCredential', apiVersion: v1, status }
    assert.deepEqual(await runExecPlugin(plugin(printing(answer)), { user }), {
      token: 't',
      certificate: undefined,
      key: undefined,
      expires: Date.UTC(2026, 0, 1, 0, 10),
    })
    const pair = { clientCertificateData: 'cert', clientKeyData: 'key' }
    const { token, certificate, key, expires } = await runExecPlugin(
      plugin(printing({ ...answer, status: pair })),
      { user },
    )
    assert.deepEqual(
      { token, certificate, key, expires },
      {
        token: undefined,
        certificate: 'cert',
        key: 'key',
        expires: undefined,
      },
    )
  })

  const rows: readonly {
    name: string
    script: string
    parts?: Partial<ExecPlugin>
    says: RegExp
  }[] = [
    {
      name: 'that is missing: its own hint',
      script: '',
      parts: { command: 'no-such-plugin', installHint: 'install it from example.com' },
      says: /^running the exec plugin no-such-plugin of user "eks" of \/x\/config: it is not installed, or not on the PATH: install it from example\.com$/,
    },
    {
      name: 'that is missing and has no hint',
      script: '',
      parts: { command: 'no-such-plugin' },
      says: /not on the PATH: install no-such-plugin, or name its full path in the kubeconfig$/,
    },
    {
      name: 'that fails: its own words',
      script: 'echo "the SSO session has expired" >&2; exit 255',
      says: /: it ended with 255: the SSO session has expired; log in again, or run it by hand to see why$/,
    },
    {
      name: 'that fails silently',
      script: 'exit 3',
      says: /ended with 3: and said nothing; log in again, or run it by hand to see why$/,
    },
    {
      name: 'that prints another version',
      script: printing({
        kind: 'ExecCredential',
        apiVersion: `${v1}beta1`,
        status: { token: 't' },
      }),
      says: /expected an ExecCredential of client\.authentication\.k8s\.io\/v1, got ExecCredential of client\.authentication\.k8s\.io\/v1beta1; set apiVersion in exec/,
    },
    {
      name: 'that prints no credential',
      script: printing({ kind: 'ExecCredential', apiVersion: v1, status: {} }),
      says: /expected a token, or a client certificate with its key, in status, got neither$/,
    },
    {
      name: 'that prints no JSON, which might hold a secret',
      script: 'echo s3cret',
      says: /expected an ExecCredential in JSON, got 7 characters that are not$/,
    },
    {
      name: 'that gives no time',
      script: printing({
        kind: 'ExecCredential',
        apiVersion: v1,
        status: { token: 't', expirationTimestamp: 'soon' },
      }),
      says: /expected expirationTimestamp to be a time, got "soon"$/,
    },
    {
      name: 'that wants to talk to somebody',
      script: '',
      parts: { interactiveMode: 'Always' },
      says: /it wants to ask a person \(interactiveMode: Always\), but there is no terminal$/,
    },
  ]
  each(rows, async ({ script, parts, says }) => {
    await assert.rejects(runExecPlugin(plugin(script, parts), { user }), (error: Error) => {
      assert.match(error.message, says)
      return true
    })
  })

  void test('that hangs is ended, and so is the wait for what it started', async () => {
    const script = 'echo waiting >&2; sleep 20 & wait'
    await assert.rejects(
      runExecPlugin(plugin(script), { user, timeout: 1500 }),
      /it did not end within 1\.5 s: waiting$/,
    )
  })
})
