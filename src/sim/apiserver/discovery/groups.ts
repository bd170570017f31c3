/** The groups of what is served, in the order of their first resource, each with its best version first. */
import type { ResourceType } from '../resource-type.ts'

export type Version = { readonly version: string; readonly types: readonly ResourceType[] }
export type Group = { readonly name: string; readonly versions: readonly Version[] }

export function groupsOf(types: readonly ResourceType[]): readonly Group[] {
  const groups = new Map<string, Map<string, ResourceType[]>>()
  for (const type of types) {
    const versions = groups.get(type.group) ?? new Map<string, ResourceType[]>()
    groups.set(type.group, versions)
    const own = versions.get(type.version)
    if (own) own.push(type)
    else versions.set(type.version, [type])
  }
  return Array.from(groups, ([name, versions]) => ({
    name,
    versions: Array.from(versions, ([version, types]) => ({ version, types })).toSorted((a, b) =>
      compareVersions(a.version, b.version),
    ),
  }))
}

/** v10, v2, v1, v1beta2, v1beta1, v1alpha1, then whatever is named otherwise, by name. */
export function compareVersions(a: string, b: string): number {
  const [ranksA, ranksB] = [ranksOf(a), ranksOf(b)]
  for (const [i, rank] of ranksA.entries()) {
    const difference = (ranksB[i] ?? 0) - rank
    if (difference !== 0) return difference
  }
  return a < b ? -1 : a > b ? 1 : 0
}

const stages = ['alpha', 'beta']

/** How stable it is, then its numbers. */
function ranksOf(version: string): readonly [number, number, number] {
  const parts = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version)
  if (!parts) return [0, 0, 0]
  const [, major, stage, minor = 0] = parts
  const stability = stage === undefined ? 3 : stages.indexOf(stage) + 1
  return [stability, Number(major), Number(minor)]
}
