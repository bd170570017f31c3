/**
 * The whole life of groups on the kernel of this machine: cgroup v1 or v2, whichever it has. Runs here, and
 * in QEMU on a kernel with v2 (test/real/cgroup-v2.test.ts).
 */
import { after, describe, test } from 'node:test'

import { assertLaw } from '../../../../test/cgroup/host-life.ts'
import { findOurs, lifeOnKernel } from '../../../../test/cgroup/kernel-life.ts'
import { makeCgroup, removeCgroup } from '../../../../test/kubernetes/cgroups.ts'

const { hierarchy, skip } = findOurs()
const tree = `mbcas-life-${process.pid}`

void describe('what an agent found, or what somebody set since', { skip }, () => {
  after(async () => removeCgroup(tree))

  void test('is there at the end, wherever an agent ended before, on the real kernel', () => {
    if (hierarchy === undefined) return
    const ground = lifeOnKernel(hierarchy, tree)
    // The first quota of a kernel and the last one patch its code: slow in QEMU, so one stays.
    makeCgroup(`${tree}/still`)
    ground.set(`${tree}/still`, 'quotaMicros', 100_000)
    assertLaw(ground, 60)
  })
})
