/** The command line on a machine whose clock is an hour ahead of the API server's. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { writeKubeconfig } from '../../src/adapters/kube/embedded-kubeconfig.ts'
import { millis } from '../../src/core/units.ts'
import { certificates } from '../certificates.ts'
import { markets } from '../cli/furnish.ts'
import { kubeServer, sendJson } from '../kube-server.ts'
import { mbcas } from '../run.ts'

const HOUR = 3_600_000

void test('agents that the server has just heard of are not silent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-clock-'))
  const server = await kubeServer(({ path }, response) => {
    const now = Date.now() - HOUR
    response.setHeader('date', new Date(now).toUTCString())
    const items = path.endsWith('/nodemarkets') ? markets(millis(now)) : []
    sendJson(response, { metadata: { resourceVersion: '1' }, items })
  })
  try {
    const kubeconfig = join(folder, 'kubeconfig')
    const authority = certificates().ca.cert
    writeKubeconfig(kubeconfig, { url: server.url, authority, token: 'x' })
    const { stdout, stderr } = await mbcas(['status', '--kubeconfig', kubeconfig, '-o', 'json'])
    const { silentNodes, nodes } = JSON.parse(stdout || '{}') as Record<string, number>
    // One of the three has been silent for longer; by our own clock all would be.
    assert.deepEqual([nodes, silentNodes], [3, 1], stdout + stderr)
  } finally {
    await server.close()
    rmSync(folder, { recursive: true })
  }
})
