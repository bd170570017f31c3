/** The file in which a host agent keeps what it found in the groups, for the start after a hard end. */
import * as v from 'valibot'

import { parseAs } from './parse.ts'

const whole = v.pipe(v.number('a whole number'), v.integer('a whole number'))
const settings = v.strictObject(
  {
    shares: whole,
    /** Null is no limit. */
    quotaMicros: v.nullable(whole),
    periodMicros: whole,
    /** Not there on a kernel without it. */
    burstMicros: v.exactOptional(whole),
  },
  'shares, quotaMicros, periodMicros and burstMicros',
)

const group = v.strictObject(
  {
    path: v.string('the path of a group'),
    /** The kernel's number of the group: it stays when it is renamed, and is another when it is made anew. */
    id: v.string('the identity of a group'),
    found: settings,
    /** What stands there by our writes: while they are done, all that may. */
    ours: v.array(settings, 'a list of settings'),
  },
  'a group with what was found',
)

const cpuset = v.strictObject(
  { cpus: v.string('CPUs'), mems: v.string('memory nodes') },
  'an object with cpus and mems',
)

const pinned = v.strictObject(
  {
    path: v.string('the path of a group'),
    /** Null: there was no such group. */
    found: v.nullable(cpuset),
    ours: cpuset,
  },
  'a group with the cpuset that was found',
)

const hostStateFile = v.strictObject(
  {
    /** Groups live as long as the machine runs. */
    bootId: v.string('the boot that it is of'),
    /** A process, told by its start from one that got its number later. */
    owner: v.strictObject({ pid: whole, startTicks: whole }, 'pid and startTicks'),
    groups: v.array(group, 'a list of groups'),
    /** In the order in which they were written. */
    cpusets: v.optional(v.array(pinned, 'a list of groups'), []),
  },
  'the state of a host agent',
)

export type HostState = v.InferOutput<typeof hostStateFile>
export type KeptGroup = v.InferOutput<typeof group>
export type KeptCpuset = v.InferOutput<typeof pinned>

/** What every version has: whose it is, and what was found. */
const anyVersion = v.object({
  bootId: v.string(),
  owner: v.optional(v.object({ pid: whole, startTicks: whole })),
  groups: v.optional(
    v.array(v.object({ path: v.string(), found: v.object(settings.entries) })),
    [],
  ),
  cpusets: v.optional(v.array(v.object({ path: v.string(), found: v.nullable(cpuset) })), []),
})

export type AnyHostState = v.InferOutput<typeof anyVersion>

/** Of an earlier version too; undefined if it is of none. */
export function glanceAtHostState(document: unknown): AnyHostState | undefined {
  const { success, output } = v.safeParse(anyVersion, document)
  return success ? output : undefined
}

export const readHostState = (document: unknown, name: string): HostState =>
  parseAs(hostStateFile, document, name)
