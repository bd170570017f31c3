/** What our client of Kubernetes reads: the file that names a cluster, and what that cluster answers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createCredentials } from '../../../src/adapters/kube/credentials.ts'
import { loadKubeconfig } from '../../../src/adapters/kube/kubeconfig.ts'
import { readList, readObject, watchEvents } from '../../../src/adapters/kube/read-objects.ts'
import { withoutForeignNote } from '../../../src/apis/original-note.ts'
import { podKeep } from '../../../src/apis/pod.ts'
import { seededRandom } from '../../../src/core/random.ts'
import { ApiError, ConnectionFailed } from '../../../src/ports/kube.ts'
import { manualClock } from '../../manual-clock.ts'
import { chance, documentsFrom, mutateText, mutateValue, pick, upTo } from '../generate.ts'
import { asBytes, type FuzzInput, type FuzzTarget } from '../target.ts'
import { seeds } from './api-seeds.ts'

const kubeconfig = (user: object) => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'c',
  contexts: [{ name: 'c', context: { cluster: 'k', user: 'u', namespace: 'default' } }],
  clusters: [{ name: 'k', cluster: { server: 'https://127.0.0.1:6443', 'tls-server-name': 'a' } }],
  users: [{ name: 'u', user }],
})
const users = [
  { token: 'abc.def' },
  { token: 'two\nlines' },
  { username: 'u', password: 'p\r\nx: y' },
  { token: 't', as: 'jane', 'as-groups': ['a', 'b'], 'as-user-extra': { 'a/b(c)': ['d'] } },
  { 'client-certificate-data': 'AAAA', 'client-key-data': 'AAAA' },
  { 'auth-provider': { name: 'gcp' } },
]

let folder: string | undefined

function newFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'mbcas-fuzz-'))
  process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  return made
}

/** All but plugins, since any command could stand there. */
async function useKubeconfig(input: FuzzInput): Promise<void> {
  const path = join((folder ??= newFolder()), 'config')
  writeFileSync(path, input)
  const { user } = loadKubeconfig({ path, env: {}, home: '/' })
  if (user.secret.kind === 'exec') return
  const { headers } = await createCredentials(user, manualClock()).identity()
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name)
    for (const one of [value].flat()) validateHeaderValue(name, one)
  }
}

const objects = seeds.map(({ object }) => object)
const answers = [
  ...objects.map((object) => ({ type: 'ADDED', object })),
  { type: 'BOOKMARK', object: { kind: 'Pod', metadata: { resourceVersion: '7' } } },
  { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' } },
  { kind: 'List', metadata: { resourceVersion: '5', continue: 'x' }, items: objects.slice(0, 3) },
  ...objects,
]

/** In pieces that end anywhere, the same for the same input. */
async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const random = seededRandom(bytes.length)
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + upTo(random, chance(random, 0.5) ? 20 : 4000)
    yield bytes.subarray(at, end)
    at = end
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError || error instanceof ConnectionFailed || error instanceof SyntaxError

async function attempt(read: () => Promise<unknown>): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
}

async function readAnswers(input: FuzzInput): Promise<void> {
  const bytes = asBytes(input)
  for (const keep of [podKeep, undefined]) {
    await attempt(async () => {
      for await (const event of watchEvents(pieces(bytes), 'watching', keep)) {
        if (event.type !== 'BOOKMARK' && keep !== undefined) withoutForeignNote(event.object)
      }
    })
    await attempt(async () => readList(pieces(bytes), keep))
  }
  await attempt(async () => readObject(pieces(bytes), podKeep))
}

export const clients: readonly FuzzTarget[] = [
  {
    name: 'kubeconfig',
    generate: documentsFrom(users.map(kubeconfig)),
    run: useKubeconfig,
    share: 0.5,
  },
  {
    name: 'watch-stream',
    generate: (random) => {
      const lines = Array.from({ length: 1 + upTo(random, 3) }, () =>
        JSON.stringify(mutateValue(random, pick(random, answers))),
      )
      const text = `${lines.join('\n')}\n`
      return chance(random, 0.5) ? text : mutateText(random, [text])
    },
    run: readAnswers,
    share: 0.5,
  },
]
