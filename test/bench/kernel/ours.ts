/** Our own program, and what it is told about the groups. */
import type { Millicores } from '../../../src/core/units.ts'
import { startHostAgent } from '../host-agent.ts'
import type { ArmGroup, Running } from './arm.ts'

export type Mode = { readonly reserve: Millicores; readonly isCostMode: boolean }

/** As small as the rivals may go. */
const floor = '10m'

export const startOurs = async (groups: readonly ArmGroup[], mode: Mode): Promise<Running> =>
  startHostAgent(configOf(groups, mode))

const configOf = (groups: readonly ArmGroup[], { reserve, isCostMode }: Mode) => ({
  reserve: `${reserve}m`,
  costEfficiencyMode: isCostMode,
  groups: groups.map(({ path }) => ({ path, floor })),
})
