import { makeCgroup } from '../../kubernetes/cgroups.ts'
import type { Arm } from './arm.ts'
import type { ArmGroup } from './group.ts'

/** Set as the arm has it before anything runs in it. */
export function makeGroup(arm: Arm, group: ArmGroup): void {
  makeCgroup(group.path)
  arm.set(group)
}
