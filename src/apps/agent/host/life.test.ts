/** The whole life of groups on the simulated kernel; on the real one: kernel-life.test.ts. */
import { describe, test } from 'node:test'

import { assertLaw } from '../../../../test/cgroup/host-life.ts'
import { simulateMachine } from '../../../../test/host-machine.ts'
import { InvalidInput } from '../../../core/errors.ts'
import { simulatedGroups } from '../../../sim/kernel/cgroup-writer.ts'

void describe('what an agent found, or what somebody set since', () => {
  void test('is there at the end, wherever an agent ended before', () => {
    const machine = simulateMachine(2)
    const { kernel } = machine
    assertLaw(
      {
        machine,
        writer: machine.writer,
        groups: simulatedGroups(kernel),
        paths: ['a', 'b'],
        make: (path) => machine.add(path, 'idle'),
        remove: machine.remove,
        set: (path, setting, to) => {
          const now = kernel.settings(path)
          try {
            if (now !== undefined) kernel.set(path, { ...now, [setting]: to })
            return now !== undefined
          } catch (error) {
            if (error instanceof InvalidInput) return false
            throw error
          }
        },
      },
      60,
    )
  })
})
