/** Where a bench runs: a folder, a tree of groups for who is measured and a group for who asks. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

import { makeCgroup } from '../../kubernetes/cgroups.ts'
import { enterGroup } from './enter-group.ts'
import { endGroup, setGroup } from './group.ts'
import type { Home } from './program.ts'
import type { Service } from './scene.ts'

export const groupPrefix = 'mbcas-programs'

export type Stage = {
  readonly folder: string
  readonly loadGroup: string
  /** Where our agent runs. */
  readonly agentGroup: string
  readonly batchGroup: string
  /** Its files are prepared when it is asked for first. */
  readonly homeOf: (service: Service) => Promise<Home>
  /** The tree above all that is measured. */
  readonly makeTree: () => void
  readonly treeGroup: string
  /** With all that runs in it. */
  readonly endTree: () => Promise<void>
  readonly close: () => Promise<void>
}

const cpus = availableParallelism()
/** The most there is: who measures never waits for who is measured. */
const mostShares = 262_144
/**
 * As a kubelet weighs all pods of a node against the system, and a process of the system; both many
 * times over, so that what else runs on this machine weighs next to nothing.
 */
const times = Math.max(1, Math.floor(mostShares / 2 / (1024 * cpus)))
export const treeShares = 1024 * cpus * times
const agentShares = 1024 * times

export function openStage(prefix = groupPrefix): Stage {
  const treeGroup = `${prefix}-${process.pid}`
  const loadGroup = `${treeGroup}-load`
  const agentGroup = `${treeGroup}-agent`
  const folder = mkdtempSync(join(tmpdir(), `${prefix}-`))
  chmodSync(folder, 0o755) // PostgreSQL runs as a user of its own
  makeCgroup(loadGroup)
  setGroup({ path: loadGroup, shares: mostShares })
  const leave = enterGroup(loadGroup) // else what it starts would start late on a busy machine
  makeCgroup(agentGroup)
  setGroup({ path: agentGroup, shares: agentShares })
  const homes = new Map<string, Home>()
  return {
    folder,
    loadGroup,
    agentGroup,
    treeGroup,
    batchGroup: `${treeGroup}/batch`,
    async homeOf(service) {
      const key = `${service.program.name}-${service.name}`
      const known = homes.get(key)
      if (known !== undefined) return known
      const group = `${treeGroup}/${service.name}`
      const home = { folder: join(folder, key), group, loadGroup }
      await service.program.prepare(home)
      homes.set(key, home)
      return home
    },
    makeTree() {
      makeCgroup(treeGroup)
      setGroup({ path: treeGroup, shares: treeShares })
    },
    endTree: async () => endGroup(treeGroup),
    async close() {
      leave()
      for (const group of [treeGroup, loadGroup, agentGroup]) await endGroup(group)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
