/**
 * For how long the tasks of a group waited for a CPU: the second number of /proc/TID/schedstat
 * (Documentation/scheduler/sched-stats.rst), nanoseconds since the task was made.
 *
 * Tasks come and go, so what is added up is what each has gained from call to call: nothing when it
 * is first seen, nor when another task has taken its number. Of more than 64 tasks the first, which
 * are the oldest, stand for all. A call costs about 10 us a task.
 */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { Gone } from './kept-files.ts'

const MOST_TASKS = 64

/** One for all, since reads are synchronous. */
const buffer = Buffer.allocUnsafe(16_384)

const [LINE_FEED, SPACE, ZERO, NINE] = [10, 32, 48, 57]

type Place = {
  readonly folder: string
  /** The file with the numbers of its tasks. */
  readonly list: 'tasks' | 'cgroup.threads'
  readonly proc?: string
}

/** Microseconds since the first call; undefined as long as no task could be seen. */
export function sumRunDelay({ folder, list, proc = '/proc' }: Place): () => number | undefined {
  let before = new Map<number, number>()
  let now = new Map<number, number>()
  let nanos = 0
  let isSeen = false

  return () => {
    const { ids, count } = tasksIn(folder, list)
    let gained = 0
    for (const id of ids) {
      const delay = runDelayOf(`${proc}/${id}/schedstat`)
      if (delay === undefined) continue
      now.set(id, delay)
      gained += Math.max(0, delay - (before.get(id) ?? delay))
    }
    isSeen ||= now.size > 0
    nanos += gained * (count / Math.max(1, ids.length))
    ;[before, now] = [now, before]
    now.clear()
    return isSeen ? Math.floor(nanos / 1000) : undefined
  }
}

type Tasks = { readonly ids: readonly number[]; readonly count: number }

/** Of the group and of those right below it, such as a pod's containers: at most 64, and how many there are. */
function tasksIn(folder: string, list: string): Tasks {
  const ids: number[] = []
  let count = countTasks(join(folder, list), ids)
  if (count === undefined) throw new Gone(`reading ${join(folder, list)}: the group is gone`)
  for (const below of foldersIn(folder)) count += countTasks(join(folder, below, list), ids) ?? 0
  return { ids, count }
}

/**
 * Undefined when the group is gone. The file is opened each time: while it is open the kernel may
 * answer with the list of the last read (cgroup_pidlist_start).
 */
function countTasks(file: string, ids: number[]): number | undefined {
  return withFile(file, (descriptor) => {
    let count = 0
    let id = 0
    for (let length = fill(descriptor); length > 0; length = fill(descriptor)) {
      for (let i = 0; i < length; i += 1) {
        const byte = buffer[i] ?? 0
        if (byte !== LINE_FEED) {
          id = id * 10 + byte - ZERO
          continue
        }
        // 0 is a task of another PID namespace.
        if (id > 0 && ids.length < MOST_TASKS) ids.push(id)
        if (id > 0) count += 1
        id = 0
      }
    }
    return count
  })
}

/** The next part of the file. */
const fill = (descriptor: number): number => readSync(descriptor, buffer, 0, buffer.length, null)

/** A group's folder has two links and one for each folder in it, so that most need not be listed. */
function foldersIn(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.nlink === 2) return []
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
  } catch (error) {
    if (isUnseen(error)) return []
    throw error
  }
}

/** Nanoseconds. Undefined when the task is gone or hidden, or on a kernel that counts none (0 0 0). */
function runDelayOf(file: string): number | undefined {
  return withFile(file, (descriptor) => {
    const length = fill(descriptor)
    let [field, delay, sum] = [0, 0, 0]
    for (let i = 0; i < length; i += 1) {
      const byte = buffer[i] ?? 0
      if (byte === SPACE) field += 1
      if (byte < ZERO || byte > NINE) continue
      sum += byte - ZERO
      if (field === 1) delay = delay * 10 + byte - ZERO
    }
    return sum === 0 ? undefined : delay
  })
}

/** Undefined when it is not there, or not for us. */
function withFile<T>(file: string, use: (descriptor: number) => T): T | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'r')
    return use(descriptor)
  } catch (error) {
    if (isUnseen(error)) return undefined
    throw error
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** ESRCH: the task ended while its file was open. EOPNOTSUPP: threads of a group of v2 that may have none. */
const unseen = new Set(['ENOENT', 'ENODEV', 'ESRCH', 'EACCES', 'EPERM', 'EOPNOTSUPP'])

const isUnseen = (error: unknown): boolean =>
  unseen.has((error as NodeJS.ErrnoException).code ?? '')
