/** nginx, two workers: every request has it compress a file of text; its size is that of the file. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'

import { seededRandom } from '../../../src/core/random.ts'
import { prepareGenerator } from './generator.ts'
import { startIn, untilUp } from './process.ts'
import type { Program } from './program.ts'

export const nginx: Program = {
  name: 'nginx',
  firstSize: 130_000,
  async prepare({ folder }) {
    mkdirSync(join(folder, 'www'), { recursive: true })
    writeFileSync(join(folder, 'nginx.conf'), configOf(folder))
  },
  async start({ folder, group, loadGroup }, size) {
    const socket = socketOf(folder)
    rmSync(socket, { force: true }) // of one that was killed: nginx would not start
    writeFileSync(join(folder, 'www', 'text'), textOf(size))
    const files = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr']
    const server = startIn(group, ['nginx', ...files])
    await untilUp(server, async () => isOpen(socket))
    return {
      prepareLoad: async (plan) =>
        prepareGenerator({ ...plan, kind: 'nginx', socket, size }, loadGroup),
      stop: async () => server.stop(),
    }
  },
}

const socketOf = (folder: string): string => join(folder, 'nginx.sock')

const configOf = (folder: string): string => `
daemon off;
user root;
worker_processes 2;
pid ${join(folder, 'nginx.pid')};
events { worker_connections 4096; }
http {
  access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  .map((name) => `  ${name}_temp_path ${join(folder, name)};`)
  .join('\n')}
  default_type text/plain;
  gzip on;
  gzip_types text/plain;
  gzip_comp_level 6;
  server {
    listen unix:${socketOf(folder)} backlog=4096;
    root ${join(folder, 'www')};
  }
}
`

/** Words that repeat about as those of a language do. */
function textOf(bytes: number): string {
  const random = seededRandom(1)
  const words = Array.from({ length: 2000 }, () => Math.floor(random() * 36 ** 6).toString(36))
  let text = ''
  while (text.length < bytes) text += `${words[Math.floor(random() ** 2 * words.length)]} `
  return text.slice(0, bytes)
}

const isOpen = async (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const connection = connect(socket)
    connection.once('error', () => resolve(false))
    connection.once('connect', () => {
      connection.destroy()
      resolve(true)
    })
  })
