/** The bench of programs in its quick form: its shape, since its figures need a machine at rest. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { whyNot } from '../bench/programs.ts'
import { arms } from '../bench/programs/arm.ts'
import type { Repeated } from '../bench/programs/contest.ts'
import { groupPrefix } from '../bench/programs/stage.ts'
import { cpuGroupsNamed } from '../kubernetes/cgroups.ts'
import { run } from '../run.ts'

const main = fileURLToPath(new URL('../bench/main.js', import.meta.url))

/** Groups, which are gone only when their processes are, and folders. */
const leftBehind = (): string[] => [
  ...cpuGroupsNamed(groupPrefix),
  ...readdirSync(tmpdir()).filter((name) => name.startsWith(groupPrefix)),
]

void describe('the bench of programs', { skip: whyNot() ?? false }, () => {
  void test('tells all arms of a scene and leaves nothing', async () => {
    const before = leftBehind() // of others
    const folder = mkdtempSync(join(tmpdir(), 'mbcas-bench-programs-'))
    try {
      const json = join(folder, 'out.json')
      const flags = [
        '--quick',
        '--seconds',
        '2',
        '--scene',
        'nginx-steady',
        '--seed',
        '7',
        '--json',
        json,
      ]
      const { code, stdout, stderr } = await run(process.execPath, [main, 'programs', ...flags], {
        timeout: 600_000,
      })
      assert.equal(code, 0, stdout + stderr)
      assert.match(stdout, /seed 7/)
      const [, ...lines] = readFileSync(json, 'utf8').trim().split('\n')
      const runs = lines.map((line) => JSON.parse(line) as Repeated)
      const ran = runs.map(({ arm }) => arm)
      assert.deepEqual(ran.toSorted(), arms.map(({ name }) => name).toSorted())
      for (const { arm, services, batchCores } of runs) {
        assert.match(stdout, new RegExp(`^${arm} +\\d`, 'm'))
        assert.equal(batchCores === undefined, arm === 'alone')
        const [service] = services
        assert.ok(service !== undefined && service.requests > 0 && service.usedCores > 0, arm)
        assert.ok(service.p50 > 0 && service.p99 >= service.p50 && service.max >= service.p99, arm)
      }
      assert.deepEqual(leftBehind(), before)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  void test('leaves nothing when it is interrupted', async () => {
    const before = leftBehind()
    const flags = ['--quick', '--seconds', '60', '--scene', 'redis-steady', '--arm', 'mbcas']
    const child = spawn(process.execPath, [main, 'programs', ...flags], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = once(child, 'close')
    await once(child.stderr, 'data') // the request's size is known: what is to be measured starts
    child.kill('SIGINT')
    const [code] = (await ended) as [number | null]
    assert.equal(code, 130)
    assert.deepEqual(leftBehind(), before)
  })
})
