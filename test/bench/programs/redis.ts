/** Redis, one thread: every request counts how many members two sets share; its size is how many. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { prepareGenerator } from './generator.ts'
import { runIn, startIn, untilUp } from './process.ts'
import type { Program } from './program.ts'

const members = 200_000
const fill = `for i = 1, ${members} do
  redis.call('SADD', 'a', 'member:' .. i)
  redis.call('SADD', 'b', 'member:' .. i)
end`
const options = ['--port', '0', '--save', '', '--appendonly', 'no', '--loglevel', 'warning']

export const redis: Program = {
  name: 'redis',
  firstSize: 10_000,
  async prepare({ folder }) {
    mkdirSync(folder)
  },
  async start({ folder, group, loadGroup }, size) {
    const socket = join(folder, 'redis.sock')
    const place = ['--unixsocket', socket, '--dir', folder]
    const server = startIn(group, ['redis-server', ...options, ...place])
    const ask = async (...words: readonly string[]) =>
      runIn(loadGroup, ['redis-cli', '-s', socket, ...words])
    await untilUp(server, async () =>
      ask('PING').then(
        (answer) => answer.startsWith('PONG'),
        () => false,
      ),
    )
    await ask('EVAL', fill, '0')
    return {
      prepareLoad: async (plan) =>
        prepareGenerator({ ...plan, kind: 'redis', socket, size }, loadGroup),
      stop: async () => server.stop(),
    }
  },
}
