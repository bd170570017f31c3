/** Reads kubeconfig files and merges them as kubectl does: of entries with one name, the first wins. */
import { existsSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'

import * as v from 'valibot'

import { parseAs } from '../../apis/parse.ts'
import { InvalidInput } from '../../core/errors.ts'
import { parseDocument } from '../document.ts'
import { readFileText } from '../text-file.ts'

const text = v.nullish(v.string('text'))
const flag = v.nullish(v.boolean('true or false'))
const texts = v.nullish(v.array(v.string('text'), 'a list of text'))
const name = v.string('a name')
const anObject = 'an object'

const cluster = v.looseObject(
  {
    server: text,
    'certificate-authority': text,
    'certificate-authority-data': text,
    'insecure-skip-tls-verify': flag,
    'tls-server-name': text,
    'proxy-url': text,
    'disable-compression': flag,
    extensions: v.nullish(
      v.array(v.looseObject({ name, extension: v.unknown() }, anObject), 'a list'),
    ),
  },
  anObject,
)

const exec = v.looseObject(
  {
    apiVersion: text,
    command: text,
    args: texts,
    env: v.nullish(v.array(v.looseObject({ name, value: v.string('text') }, anObject), 'a list')),
    installHint: text,
    provideClusterInfo: flag,
    interactiveMode: v.nullish(
      v.picklist(['Never', 'IfAvailable', 'Always'], 'Never, IfAvailable or Always'),
    ),
  },
  anObject,
)

const user = v.looseObject(
  {
    'client-certificate': text,
    'client-certificate-data': text,
    'client-key': text,
    'client-key-data': text,
    token: text,
    tokenFile: text,
    username: text,
    password: text,
    exec: v.nullish(exec),
    'auth-provider': v.nullish(v.looseObject({ name: text }, anObject)),
    as: text,
    'as-uid': text,
    'as-groups': texts,
    'as-user-extra': v.nullish(v.record(v.string(), v.array(v.string('text'), 'a list of text'))),
  },
  anObject,
)

const context = v.looseObject({ cluster: text, user: text, namespace: text }, anObject)

const file = v.nullable(
  v.looseObject(
    {
      'current-context': text,
      clusters: v.nullish(v.array(v.looseObject({ name, cluster: v.nullish(cluster) }), 'a list')),
      users: v.nullish(v.array(v.looseObject({ name, user: v.nullish(user) }), 'a list')),
      contexts: v.nullish(v.array(v.looseObject({ name, context: v.nullish(context) }), 'a list')),
    },
    'an object with clusters, users and contexts',
  ),
)

export type ClusterEntry = v.InferOutput<typeof cluster>
export type UserEntry = v.InferOutput<typeof user>
export type ExecEntry = v.InferOutput<typeof exec>
export type ContextEntry = v.InferOutput<typeof context>

/** An entry and the file that it stands in, to which its paths are relative. */
export type Entry<T> = { readonly name: string; readonly file: string; readonly is: T }

export type Kubeconfig = {
  readonly files: readonly string[]
  readonly currentContext: string | undefined
  readonly clusters: ReadonlyMap<string, Entry<ClusterEntry>>
  readonly users: ReadonlyMap<string, Entry<UserEntry>>
  readonly contexts: ReadonlyMap<string, Entry<ContextEntry>>
}

export type KubeconfigPlace = {
  /** `--kubeconfig`: this file and no other. */
  readonly path?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}

export function readKubeconfig(place: KubeconfigPlace): Kubeconfig {
  const files = filesOf(place).map((path) => resolve(path))
  const merged = {
    files,
    currentContext: undefined as string | undefined,
    clusters: new Map<string, Entry<ClusterEntry>>(),
    users: new Map<string, Entry<UserEntry>>(),
    contexts: new Map<string, Entry<ContextEntry>>(),
  }
  for (const path of files) {
    const one = parseFile(path)
    merged.currentContext ??= one?.['current-context'] || undefined
    for (const { name, cluster } of one?.clusters ?? []) {
      addFirst(merged.clusters, { name, file: path, is: cluster ?? {} })
    }
    for (const { name, user } of one?.users ?? []) {
      addFirst(merged.users, { name, file: path, is: user ?? {} })
    }
    for (const { name, context } of one?.contexts ?? []) {
      addFirst(merged.contexts, { name, file: path, is: context ?? {} })
    }
  }
  return merged
}

const addFirst = <T>(entries: Map<string, Entry<T>>, entry: Entry<T>): void => {
  if (!entries.has(entry.name)) entries.set(entry.name, entry)
}

/** A file that `KUBECONFIG` names need not be there, as long as one is. */
function filesOf({ path, env, home }: KubeconfigPlace): string[] {
  if (path !== undefined) return [path]
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((part) => part !== '')
  const candidates = listed.length > 0 ? listed : [resolve(home, '.kube', 'config')]
  const there = candidates.filter((candidate) => existsSync(candidate))
  if (there.length > 0) return there
  throw new InvalidInput(
    `looking for a kubeconfig: there is no ${candidates.join(', no ')}; ` +
      'name one with --kubeconfig or KUBECONFIG, or run in a pod of the cluster',
  )
}

function parseFile(path: string): v.InferOutput<typeof file> {
  let content: string
  try {
    content = readFileText(path)
  } catch (error) {
    throw new InvalidInput(
      `${(error as Error).message}; name a readable kubeconfig with --kubeconfig or KUBECONFIG`,
      { cause: error },
    )
  }
  if (content.trim() === '') return null // as kubectl takes it
  const remedy = 'mend it, or name another with --kubeconfig or KUBECONFIG'
  const document = parseQuietly(content, { path, remedy })
  try {
    return parseAs(file, document, `reading kubeconfig ${path}`)
  } catch (error) {
    throw new InvalidInput(`${(error as Error).message}; ${remedy}`, { cause: error })
  }
}

/** The parser would show the lines around a fault, and a token may stand in them. */
function parseQuietly(content: string, at: { path: string; remedy: string }): unknown {
  try {
    return parseDocument(content, `kubeconfig ${at.path}`)
  } catch (error) {
    const [first = ''] = (error as Error).message.split('\n')
    // No cause: it shows them, too.
    throw new InvalidInput(`${first.replace(/:$/, '')}; ${at.remedy}`)
  }
}
