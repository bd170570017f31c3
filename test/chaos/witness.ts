/** Sees every change that an informer tells, and notes each that cannot be. */
import type { KubeObject } from '../../src/apis/object.ts'
import type { Change } from '../../src/runtime/store.ts'

export type Witness = {
  readonly see: (change: Change<KubeObject>) => void
  readonly changes: () => number
  readonly violations: readonly string[]
}

export function createWitness(): Witness {
  const known = new Map<string, KubeObject>()
  /** The last version told of each uid, also after its deletion. */
  const told = new Map<string, bigint>()
  const gone = new Set<string>()
  const violations: string[] = []
  let changes = 0

  const see = (change: Change<KubeObject>) => {
    changes += 1
    const blame = (what: string) => violations.push(`${change.type} ${change.key}: ${what}`)
    const held = known.get(change.key)
    if (change.type === 'added' && held !== undefined) blame('was already known')
    if (change.type !== 'added' && held === undefined) blame('was not known')
    if (change.type !== 'added' && held !== change.before) blame('before is not what was told last')
    if (change.type === 'deleted') {
      known.delete(change.key)
      gone.add(change.before.metadata.uid ?? '')
      return
    }
    const { uid = '', resourceVersion = '' } = change.now.metadata
    const version = BigInt(resourceVersion)
    const last = told.get(uid)
    if (last !== undefined && version <= last) blame(`version ${version} came after ${last}`)
    if (gone.has(uid)) blame(`uid ${uid} came back`)
    if (change.type === 'updated' && change.before.metadata.uid !== uid) blame('uid changed')
    told.set(uid, version)
    known.set(change.key, change.now)
  }
  return { see, changes: () => changes, violations }
}
