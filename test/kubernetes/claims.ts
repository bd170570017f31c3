/**
 * A cluster claims a number: everything it makes outside its folder is named after it, `mbcas-7`
 * (bridge, cgroups), and its addresses too: 127.18.7.1 for the control plane, 198.18.7.0/24 for
 * node and pods (a range for benchmarks, RFC 2544, on no real network). So clusters run side by
 * side, and any process can see from the claim what to take away once its owner is dead.
 */
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { alive, answer, identify, type Identity } from './processes.ts'

export interface Claim {
  readonly name: string
  readonly number: number
  readonly folder: string
  /** Who started the cluster, who cleans up after it, and the process that all others end with. */
  readonly owner: Identity
  readonly keeper?: Identity
  readonly init?: Identity
}

export const registry = '/run/mbcas'
const fileOf = (name: string) => join(registry, `${name}.json`)
const highest = 255

export async function claimCluster(folder: string): Promise<Claim> {
  mkdirSync(registry, { recursive: true })
  for (let number = 0; number <= highest; number += 1) {
    const name = `mbcas-${number}`
    const claim: Claim = { name, number, folder, owner: identify(process.pid) }
    if (!isNew(claim)) continue
    try {
      await answer('ip', ['link', 'add', name, 'type', 'bridge'])
      await answer('ip', ['address', 'add', `198.18.${number}.1/24`, 'dev', name])
      await answer('ip', ['link', 'set', name, 'up'])
      return claim
    } catch (error) {
      forgetClaim(name)
      if (!String(error).includes('File exists')) throw error
    }
  }
  throw new Error(`claiming a cluster number: all ${highest + 1} are in use, see ${registry}`)
}

/** A link is made whole or not at all, and fails if the name is taken. */
function isNew(claim: Claim): boolean {
  const draft = writeDraft(claim)
  try {
    linkSync(draft, fileOf(claim.name))
    return true
  } catch {
    return false
  } finally {
    rmSync(draft)
  }
}

export function updateClaim(claim: Claim): void {
  renameSync(writeDraft(claim), fileOf(claim.name))
}

function writeDraft(claim: Claim): string {
  const draft = `${fileOf(claim.name)}.${process.pid}`
  writeFileSync(draft, JSON.stringify(claim, null, 2))
  return draft
}

export const forgetClaim = (name: string): void => rmSync(fileOf(name), { force: true })

export function readClaims(): Claim[] {
  mkdirSync(registry, { recursive: true })
  return readdirSync(registry)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => readClaim(file.slice(0, -'.json'.length)) ?? [])
}

export function readClaim(name: string): Claim | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(name), 'utf8')) as Claim
  } catch {
    return undefined // gone since it was listed
  }
}

export const inUse = ({ owner, keeper, init }: Claim): boolean =>
  alive(owner) || alive(keeper) || alive(init)
