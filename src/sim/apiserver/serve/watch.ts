/**
 * Tells changes as they happen. A watch begins at a version or with what is there, and ends by its own
 * time limit, by the client, or because the client is too slow.
 */
import type { Change } from '../api.ts'
import { forbiddenField, unsupported } from '../kinds/validate/field-errors.ts'
import type { ApiObject } from '../object.ts'
import { statusOf, tooOldVersion } from '../refusal.ts'
import { type Selection, selectionOf } from '../select/selection.ts'
import { type Call, type Core, type Keeping, keepingOf } from './core.ts'
import { bookmarkLine, errorLine, eventLine, type EventType, type LineForm } from './event-lines.ts'
import type { Stream } from './exchange.ts'
import { badVersion, shownFor } from './get.ts'
import { readCount, readFlag, refuseOptions } from './query.ts'

/** Milliseconds; as often as the real server. */
const bookmarkEvery = 60_000
/** Before the end of a watch, so that the next one need not begin far back. */
const lastBookmarkBefore = 2_000
/** Without a limit of the client's: between this and twice this, so that not all come back at once. */
const shortestWatch = 30 * 60_000

type Wanted = {
  readonly lines: LineForm
  readonly keeping: Keeping
  readonly namespace: string | undefined
  readonly selection: Selection
  readonly bookmarks: boolean
  /** Begins with what is there. */
  readonly initial: boolean
  /** And says when that was all. */
  readonly marksInitial: boolean
  /** 0 if it begins with what is there. */
  readonly version: number
  readonly millis: number
}

const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' }

export function watchObjects(core: Core, call: Call): Stream {
  const wanted = readWatch(core, call)
  return {
    kind: 'stream',
    status: 200,
    headers,
    start: (to) => startWatch(core, wanted, to),
  }
}

function readWatch(core: Core, call: Call): Wanted {
  const { type, namespace, query } = call
  const { form, included } = shownFor(core, call)
  const text = query.get('resourceVersion') ?? ''
  const sends = readFlag(query, 'sendInitialEvents')
  const match = query.get('resourceVersionMatch') ?? ''
  checkMatch(sends, match)
  if (text !== '' && !/^\d+$/.test(text)) throw badVersion(text)
  const bookmarks = readFlag(query, 'allowWatchBookmarks') === true
  const seconds = readCount(query, 'timeoutSeconds') ?? 0
  return {
    lines: { type, form, included, withColumns: true },
    keeping: keepingOf(core, type),
    namespace,
    selection: selectionOf(type, {
      labels: query.get('labelSelector') ?? '',
      fields: query.get('fieldSelector') ?? '',
    }),
    bookmarks,
    initial: sends ?? (text === '' || text === '0'),
    marksInitial: sends === true && bookmarks,
    version: Number(text),
    millis: seconds > 0 ? seconds * 1000 : shortestWatch * (1 + core.random()),
  }
}

function checkMatch(sends: boolean | undefined, match: string): void {
  const field = 'resourceVersionMatch'
  if (sends !== undefined && match !== 'NotOlderThan') {
    const said = `sendInitialEvents requires setting ${field} to NotOlderThan`
    refuseOptions('ListOptions', [forbiddenField(field, said)])
  }
  if (sends === undefined && match !== '') {
    const said = `${field} is forbidden for watch unless sendInitialEvents is provided`
    const known = match === 'NotOlderThan'
    refuseOptions('ListOptions', [
      forbiddenField(field, said),
      ...(known ? [] : [unsupported(field, match, ['NotOlderThan'])]),
    ])
  }
}

function startWatch(
  { store, agenda }: Core,
  wanted: Wanted,
  to: Parameters<Stream['start']>[0],
): { readonly stop: () => void } {
  const { keeping, namespace, selection } = wanted
  const { stored } = keeping
  const endings: (() => void)[] = []
  let { lines } = wanted
  let ended = false

  const stop = () => {
    ended = true
    for (const end of endings.splice(0)) end()
  }
  const end = (error?: Error) => {
    if (ended) return
    stop()
    to.end(error)
  }
  const send = (line: Uint8Array) => {
    // To wait for a slow client would hold up the others.
    if (!ended && !to.send(line)) end()
  }
  const tell = (type: EventType, object: ApiObject) => {
    send(eventLine(type, object, { ...lines, now: agenda.wall() }))
    if (lines.withColumns) lines = { ...lines, withColumns: false }
  }
  const tellChange = (change: Change) => {
    if (namespace !== undefined && change.object.metadata.namespace !== namespace) return
    const seen = asSeen(change, selection, keeping)
    if (seen !== undefined) tell(seen.type, seen.object)
  }
  const bookmark = (ends: boolean) => send(bookmarkLine(lines, { version: store.version(), ends }))

  const later = (millis: number, task: () => void) => {
    endings.push(agenda.at(agenda.now() + millis, task))
  }
  const bookmarkAgain = () => {
    bookmark(false)
    if (!ended) later(bookmarkEvery, bookmarkAgain)
  }

  if (wanted.initial) {
    for (const object of store.list(stored, namespace)) {
      const shown = keeping.fromStored(object)
      if (selection?.(shown) !== false) tell('ADDED', shown)
    }
    if (wanted.marksInitial) bookmark(true)
  } else {
    const { since, oldest } = store.history(stored)
    const missed = since(wanted.version)
    if (missed === undefined) {
      send(errorLine(statusOf(tooOldVersion(wanted.version, oldest()))))
      end()
      return { stop }
    }
    for (const change of missed) tellChange(change)
  }
  if (ended) return { stop }
  endings.push(
    store.subscribe(stored, (change) => {
      if (!ended && change.version > wanted.version) tellChange(change)
    }),
  )
  if (wanted.bookmarks) {
    later(bookmarkEvery, bookmarkAgain)
    later(Math.max(0, wanted.millis - lastBookmarkBefore), () => bookmark(false))
  }
  later(wanted.millis, () => end())
  return { stop }
}

/** What a change is to who sees only a selection: what begins to match is added, what stops is deleted. */
function asSeen(
  { type, object, old, version }: Change,
  selection: Selection,
  { fromStored }: Keeping,
): { readonly type: EventType; readonly object: ApiObject } | undefined {
  const next = fromStored(object)
  if (selection === undefined) return { type, object: next }
  const before = old && fromStored(old)
  const was = before !== undefined && selection(before)
  const is = type !== 'DELETED' && selection(next)
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', object: next }
  if (!was) return undefined
  if (type === 'DELETED') return { type, object: next }
  const metadata = { ...before.metadata, resourceVersion: String(version) }
  return { type: 'DELETED', object: { ...before, metadata } }
}
