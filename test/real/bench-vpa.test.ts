/** The bench of the real node in its quick form: its shape, since its figures need a machine at rest. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { whyNot } from '../bench/vpa.ts'
import { arms } from '../bench/vpa/arms.ts'
import { groupPrefix } from '../bench/vpa/bench-node.ts'
import type { Repeated } from '../bench/vpa/contest.ts'
import { cpuGroupsNamed } from '../kubernetes/cgroups.ts'
import { readClaims } from '../kubernetes/claims.ts'
import { alive } from '../kubernetes/processes.ts'
import { run } from '../run.ts'

const main = fileURLToPath(new URL('../bench/main.js', import.meta.url))

/** A cluster has a bridge and groups as long as it is claimed; others on this machine may start theirs. */
const leftBehind = (): string[] => [
  ...cpuGroupsNamed(groupPrefix),
  ...readClaims().flatMap(({ name, owner }) => (alive(owner) ? [] : name)),
]

void describe('the bench of the real node', { skip: whyNot() ?? false }, () => {
  void test('plays all arms, in one of which VPA resizes pods in place, and leaves nothing', async () => {
    const before = leftBehind() // of others
    const folder = mkdtempSync(join(tmpdir(), 'mbcas-bench-vpa-'))
    try {
      const out = join(folder, 'out.jsonl')
      const flags = ['--quick', '--seed', '7', '--out', out]
      const { code, stdout, stderr } = await run(process.execPath, [main, 'vpa', ...flags], {
        timeout: 900_000,
      })
      assert.equal(code, 0, stdout + stderr)
      const [, ...lines] = readFileSync(out, 'utf8').trim().split('\n')
      const passes = lines.map((line) => JSON.parse(line) as Repeated)
      assert.deepEqual(
        passes.map(({ arm }) => arm).toSorted(),
        arms.map(({ name }) => name).toSorted(),
      )
      for (const { arm, services, requestedCores } of passes) {
        assert.ok(requestedCores > 0, arm)
        for (const { name, overall, usedCores } of services) {
          const where = `${arm}, ${name}`
          assert.ok(usedCores > 0, where)
          assert.equal(overall === undefined, name === 'noise', where)
          if (overall === undefined) continue
          assert.ok(overall.requests > overall.unanswered, where)
          assert.ok(overall.p50 <= overall.p95 && overall.p95 <= overall.p99, where)
        }
      }
      const autoscaled = passes.find(({ arm }) => arm === 'VPA')
      const names = autoscaled?.services.map(({ name }) => name) ?? []
      assert.deepEqual(Object.keys(autoscaled?.wanted ?? {}).toSorted(), names.toSorted())
      assert.ok((autoscaled?.changes ?? 0) > 0, 'VPA resized a pod')
      assert.equal(autoscaled?.restarts, 0, 'in place')
      assert.match(stdout, /^FIGURE +STATIC LIMITS +NO LIMITS +VPA +MBCAS$/m)
      assert.match(stdout, /^gateway p99, ms +\d+ +\d+ +\d+ +\d+$/m)
      assert.match(stdout, /^MBCAS is behind VPA in /m)
      assert.deepEqual(leftBehind(), before)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  void test('leaves nothing when it is interrupted', async () => {
    const before = leftBehind()
    const child = spawn(process.execPath, [main, 'vpa', '--quick'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = once(child, 'close')
    await once(child.stderr, 'data') // the cluster is up
    child.kill('SIGINT')
    const [code] = (await ended) as [number | null]
    assert.equal(code, 130)
    assert.deepEqual(leftBehind(), before)
  })
})
