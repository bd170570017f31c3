/** `mbcas dashboard` where it cannot serve, or should not: it says why, and what to do. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { each } from '../each.ts'
import { type Embedded, startEmbedded } from '../embedded.ts'
import { mbcas } from '../run.ts'

void describe('mbcas dashboard', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-dashboard-'))
  const short = join(folder, 'short.token')
  const long = join(folder, 'long.token')
  writeFileSync(short, 'secret\n')
  writeFileSync(long, 'correct-horse-battery\n')
  after(() => rmSync(folder, { recursive: true }))

  each(
    [
      {
        name: 'an address that others reach is not served to anybody',
        flags: ['--listen', ':8088'],
        says: /--listen: 0\.0\.0\.0 can be reached from elsewhere.*--token-file or --trust-proxy-header, or say --open/,
      },
      {
        name: 'a short token is refused',
        flags: ['--token-file', short],
        says: /--token-file: expected 16 characters or more in .*short\.token, got 6; .*openssl rand/,
      },
      {
        name: 'a token that is not there',
        flags: ['--token-file', join(folder, 'none')],
        says: /reading .*none: there is no such file/,
      },
      {
        name: 'a header that is none',
        flags: ['--trust-proxy-header', 'X Forwarded'],
        says: /--trust-proxy-header: expected the name of a header, got "X Forwarded"/,
      },
      {
        name: 'two ways at once',
        flags: ['--token-file', long, '--trust-proxy-header', 'X-User'],
        says: /expected --token-file or --trust-proxy-header, got both/,
      },
      {
        name: 'a server that is not there',
        flags: ['--kubeconfig', join(folder, 'kubeconfig')],
        says: /kubeconfig/,
      },
    ],
    async ({ flags, says }) => {
      const { code, stderr } = await mbcas(['dashboard', '--log-level', 'error', ...flags])
      assert.match(stderr, says)
      assert.equal(code, 2, stderr)
    },
  )

  void describe('with a cluster', () => {
    let embedded: Embedded
    before(async () => {
      embedded = await startEmbedded('--nodes', '1')
    })
    after(async () => embedded.stop())

    void test('a port that is taken is told, with the remedy', async () => {
      const other = createServer()
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
      const { port } = other.address() as AddressInfo
      const flags = ['--kubeconfig', embedded.kubeconfig, '--listen', `127.0.0.1:${port}`]
      const { code, stderr } = await mbcas(['dashboard', '--log-level', 'error', ...flags])
      assert.match(stderr, new RegExp(`--listen: .*port ${port} is taken by another process`))
      assert.equal(code, 2)
      other.close()
    })
  })
})
