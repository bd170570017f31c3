/** Runs one task for one client and prints its figures; loads nothing of the other client. */
import { writeSync } from 'node:fs'

import type { RivalName, ServerPlace } from './rival.ts'
import { type Task, tasks } from './tasks.ts'

export type TaskRequest = {
  readonly rival: RivalName
  readonly task: Task
  readonly server: ServerPlace
  /** Where the official client is installed. */
  readonly folder: string
}

const { rival, task, server, folder } = JSON.parse(process.argv[2] ?? '') as TaskRequest
const client =
  rival === 'ours'
    ? (await import('./ours.ts')).ours(server)
    : await (await import('./official.ts')).official(folder, server)
writeSync(1, JSON.stringify(await tasks[task](client)))
process.exit() // its informer would go on
