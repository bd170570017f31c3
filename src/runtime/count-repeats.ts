/**
 * Warnings and errors that repeat are counted, not repeated: the first of an object is logged at once,
 * the others once a minute, as one line with `repeated`. Many objects with the same trouble are one
 * trouble: beyond 20 they are counted together. Memory is bounded by that and by the number of
 * messages, which are constants.
 *
 *   50 containers, each unreadable at 4 samples a second
 *   first sample      20 lines
 *   after a minute    20 lines with repeated: 240, and one with repeated: 7230 and others: true
 */
import type { Millis } from '../core/units.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log, LogLevel } from '../ports/log.ts'

type Fields = Readonly<Record<string, unknown>>
type Counted = { count: number; fields: Fields }

type Kind = {
  readonly level: LogLevel
  readonly message: string
  /** When it was first logged, or last counted. */
  since: Millis
  /** By what it is about. */
  readonly objects: Map<string, Counted>
  readonly others: Counted
}

const WINDOW_MILLIS = 60_000
const MOST_OBJECTS = 20
/** Messages are constants: more than this would be a mistake of ours, and is then not counted. */
const MOST_KINDS = 500

/** Counts are told when anything is logged after their minute is over. */
export function countRepeats(log: Log, clock: Pick<Clock, 'now'>): Log {
  const kinds = new Map<string, Kind>()

  /** What went on stays known, so that the next minute is one line too; what stopped is forgotten. */
  const settle = (key: string, kind: Kind): void => {
    const { level, message, objects, others } = kind
    for (const [id, { count, fields }] of objects) {
      if (count === 0) objects.delete(id)
      else objects.set(id, { count: 0, fields: {} })
      if (count > 0) log(level, message, { ...fields, repeated: count })
    }
    if (others.count > 0) {
      log(level, message, { ...others.fields, repeated: others.count, others: true })
    }
    Object.assign(others, { count: 0, fields: {} })
    kind.since = clock.now()
    if (objects.size === 0) kinds.delete(key)
  }

  return (level, message, fields = {}) => {
    const now = clock.now()
    for (const [key, kind] of kinds) if (now - kind.since >= WINDOW_MILLIS) settle(key, kind)
    const key = `${level} ${message}`
    const kind: Kind = kinds.get(key) ?? {
      level,
      message,
      since: now,
      objects: new Map(),
      others: { count: 0, fields: {} },
    }
    if (level === 'debug' || level === 'info' || (!kinds.has(key) && kinds.size >= MOST_KINDS)) {
      log(level, message, fields)
      return
    }
    kinds.set(key, kind)
    const id = identityOf(fields)
    const known = kind.objects.get(id)
    if (known === undefined && kind.objects.size < MOST_OBJECTS) {
      kind.objects.set(id, { count: 0, fields: {} })
      log(level, message, fields)
      return
    }
    const counted = known ?? kind.others
    counted.count += 1
    counted.fields = fields
  }
}

/** Fields that say what a line is about; the others say how it is just now. */
const naming = ['pod', 'container', 'node', 'group', 'key', 'resource', 'path', 'part', 'lease']

/** The error counts, so that another trouble of the same object shows; its numbers do not. */
function identityOf(fields: Fields): string {
  const { error, reason } = fields
  const said = error instanceof Error ? error.message : error
  const trouble = [said, reason].map((text) =>
    typeof text === 'string' ? text.slice(0, 200).replaceAll(/\d+/g, '#') : '',
  )
  return JSON.stringify([...naming.map((name) => fields[name] ?? ''), ...trouble])
}
