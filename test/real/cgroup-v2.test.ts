/** The suites that run here on this kernel's cgroups run on a real kernel with cgroup v2 too. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { runInGuest } from '../qemu/guest.ts'
import { pathOf, real, skipUnless } from '../real.ts'

const skip = skipUnless(real.cgroup2Kernel)

void test('cgroups are read and written on a kernel with cgroup v2', { skip }, async (t) => {
  const { code, output } = await runInGuest({
    kernel: pathOf(real.cgroup2Kernel),
    programs: ['adapters/cgroup/kernel.test.js', 'apps/agent/host/kernel-life.test.js'].map(
      (file) => fileURLToPath(new URL(`../../src/${file}`, import.meta.url)),
    ),
    timeoutMs: 900_000,
  })
  assert.equal(code, 0, output)
  const count = (of: string) => Number(new RegExp(`^# ${of} (\\d+)$`, 'm').exec(output)?.[1])
  assert.ok(count('pass') >= 10, output)
  assert.equal(count('skipped'), 0, output)
  t.diagnostic(`${count('pass')} tests passed in the guest`)
})
