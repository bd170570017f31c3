/** Takes away what a cluster made outside its processes: cgroups, bridge, folder, claim. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { until } from '../until.ts'
import { removeCgroup } from './cgroups.ts'
import { forgetClaim, inUse, readClaim, readClaims, registry, type Claim } from './claims.ts'
import { alive, answer, kill } from './processes.ts'

export async function cleanUp({ name, folder, init }: Claim): Promise<void> {
  if (init !== undefined) await kill(init)
  await removeCgroup(name)
  await removeBridge(name)
  rmSync(folder, { recursive: true, force: true })
  rmSync(join(registry, `${name}.log`), { force: true })
  forgetClaim(name)
}

/** The pods' ends of it go with their network namespaces, which the kernel removes in its own time. */
async function removeBridge(name: string): Promise<void> {
  const bridge = `/sys/class/net/${name}`
  if (!existsSync(bridge)) return
  await until(
    `the pods' interfaces on ${name} to go`,
    () => readdirSync(join(bridge, 'brif')).length === 0,
  )
  await answer('ip', ['link', 'delete', name])
}

/** For what was killed together with its keeper. */
export async function sweep(): Promise<void> {
  for (const claim of readClaims()) if (!inUse(claim)) await cleanUp(claim)
}

/** Ends a cluster that another process started. */
export async function takeDown(claim: Claim): Promise<void> {
  if (claim.init !== undefined) await kill(claim.init)
  await until(`the keeper of ${claim.name}`, () => !alive(claim.keeper))
  if (readClaim(claim.name) !== undefined) await cleanUp(claim)
}
