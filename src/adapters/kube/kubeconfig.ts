/** Turns a context of a kubeconfig into what a connection needs, or says what is wrong with it. */
import { X509Certificate } from 'node:crypto'
import { dirname, resolve } from 'node:path'

import { InvalidInput } from '../../core/errors.ts'
import { nearest } from '../../core/nearest.ts'
import type { KubeConfig, Secret, TextSource, User } from './config.ts'
import { execPluginOf } from './exec-entry.ts'
import {
  type ClusterEntry,
  type Entry,
  type Kubeconfig,
  type KubeconfigPlace,
  readKubeconfig,
  type UserEntry,
} from './kubeconfig-file.ts'
import { readOnce } from './rotating-text.ts'

export function loadKubeconfig(place: KubeconfigPlace & { context?: string }): KubeConfig {
  const kubeconfig = readKubeconfig(place)
  const context = find(kubeconfig, 'context', contextName(kubeconfig, place.context))
  const where = `context "${context.name}" of ${context.file}`
  const { cluster: clusterName, user: userName, namespace } = context.is
  if (!clusterName)
    throw new InvalidInput(
      `reading ${where}: it names no cluster; give it one with kubectl config set-context`,
    )
  const cluster = find(kubeconfig, 'cluster', clusterName, where)
  const user = userName ? find(kubeconfig, 'user', userName, where) : undefined
  const endpoint = endpointOf(cluster)
  return {
    ...endpoint,
    namespace: namespace || 'default',
    user: user === undefined ? nobody(where) : userOf(user, () => clusterInfo(cluster, endpoint)),
  }
}

const nobody = (where: string): User => ({
  name: `the user of ${where}, who is not named,`,
  certificate: undefined,
  secret: { kind: 'none' },
  impersonation: {},
})

function contextName(kubeconfig: Kubeconfig, asked: string | undefined): string {
  const name = asked ?? kubeconfig.currentContext
  if (name !== undefined) return name
  const known = [...kubeconfig.contexts.keys()]
  const remedy =
    known[0] === undefined
      ? 'it has no contexts either: is it the right file?'
      : `choose one of ${known.join(', ')}: ${useContext(kubeconfig, known[0])}`
  throw new InvalidInput(
    `reading ${kubeconfig.files.join(', ')}: there is no current-context; ${remedy}`,
  )
}

const useContext = ({ files }: Kubeconfig, name: string): string =>
  `kubectl config use-context ${name} --kubeconfig ${files[0] ?? ''}`

type Kind = { context: 'contexts'; cluster: 'clusters'; user: 'users' }
type EntryOf<K extends keyof Kind> =
  Kubeconfig[Kind[K]] extends ReadonlyMap<string, infer E> ? E : never

function find<K extends keyof Kind>(
  kubeconfig: Kubeconfig,
  kind: K,
  name: string,
  wantedBy?: string,
): EntryOf<K> {
  const entries = kubeconfig[`${kind}s`] as ReadonlyMap<string, EntryOf<K>>
  const entry = entries.get(name)
  if (entry !== undefined) return entry
  const known = [...entries.keys()]
  const meant = nearest(name, known)
  const hint = meant === undefined ? '' : ` (did you mean "${meant}"?)`
  const list = known.length === 0 ? `there are no ${kind}s` : `known are ${known.join(', ')}`
  const why = wantedBy === undefined ? '' : `, which ${wantedBy} names`
  const one = meant ?? known[0]
  const remedies = {
    context: one === undefined ? 'is it the right file?' : useContext(kubeconfig, one),
    cluster: 'name a known one in the context, or add it with kubectl config set-cluster',
    user: 'name a known one in the context, or add it with kubectl config set-credentials',
  }
  throw new InvalidInput(
    `reading ${kubeconfig.files.join(', ')}: there is no ${kind} "${name}"${why}; ${list}${hint}; ${remedies[kind]}`,
  )
}

type Endpoint = Omit<KubeConfig, 'namespace' | 'user'>

function endpointOf({ name, file, is }: Entry<ClusterEntry>): Endpoint {
  const where = `cluster "${name}" of ${file}`
  if (is['proxy-url']) {
    throw new InvalidInput(
      `reading ${where}: proxy-url is not supported; remove it and reach ${is.server ?? 'the server'} ` +
        'directly, or through a tunnel on this machine with tls-server-name',
    )
  }
  const ca = textSource(
    { file, is, where },
    { inPlace: 'certificate-authority-data', path: 'certificate-authority' },
  )
  if (ca !== undefined) certificatesIn(ca)
  return {
    server: serverOf(is.server, where),
    cluster: where,
    ca,
    insecure: is['insecure-skip-tls-verify'] ?? false,
    serverName: is['tls-server-name'] || undefined,
    compression: !(is['disable-compression'] ?? false),
  }
}

function serverOf(server: string | null | undefined, where: string): string {
  const url = URL.canParse(server ?? '') ? new URL(server ?? '') : undefined
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.host !== '') {
    return `${url.protocol}//${url.host}${url.pathname}`.replace(/\/+$/, '')
  }
  throw new InvalidInput(
    `reading ${where}: expected server to be a URL such as https://host:6443, got ${JSON.stringify(server ?? null)}`,
  )
}

function userOf({ name, file, is }: Entry<UserEntry>, cluster: () => unknown): User {
  const where = `user "${name}" of ${file}`
  const at = { file, is, where }
  const certificate = textSource(at, {
    inPlace: 'client-certificate-data',
    path: 'client-certificate',
  })
  const key = textSource(at, { inPlace: 'client-key-data', path: 'client-key' })
  if ((certificate === undefined) !== (key === undefined)) {
    const missing = key === undefined ? 'client-key' : 'client-certificate'
    throw new InvalidInput(`reading ${where}: ${missing} is missing; the two go together`)
  }
  if (certificate !== undefined) certificatesIn(certificate)
  return {
    name: where,
    certificate: certificate === undefined || key === undefined ? undefined : { certificate, key },
    secret: secretOf(at, cluster),
    impersonation: impersonationOf(is),
  }
}

type Place<T> = { readonly file: string; readonly is: T; readonly where: string }

/** In client-go's order: a token (the file first), a password, a plugin. */
function secretOf({ file, is, where }: Place<UserEntry>, cluster: () => unknown): Secret {
  const name = `the token of ${where}`
  const tokenFile = is.tokenFile ? resolve(dirname(file), is.tokenFile) : undefined
  if ((tokenFile !== undefined || is.token) && is.username) {
    throw new InvalidInput(`reading ${where}: it has a token and a username; keep one of them`)
  }
  if (tokenFile !== undefined) return { kind: 'token', token: { file: tokenFile, name } }
  if (is.token) return { kind: 'token', token: { text: is.token, name } }
  if (is.username) {
    return { kind: 'password', username: is.username, password: is.password ?? '' }
  }
  if (is.exec) return { kind: 'exec', plugin: execPluginOf(is.exec, { file, where }, cluster) }
  if (is['auth-provider']) {
    throw new InvalidInput(
      `reading ${where}: the auth-provider "${is['auth-provider'].name ?? ''}" is not supported ` +
        '(Kubernetes 1.26 removed them); use an exec plugin, such as gke-gcloud-auth-plugin or kubelogin',
    )
  }
  return { kind: 'none' }
}

function impersonationOf(is: UserEntry): User['impersonation'] {
  const headers: Record<string, string | readonly string[]> = {}
  if (is.as) headers['Impersonate-User'] = is.as
  if (is['as-uid']) headers['Impersonate-Uid'] = is['as-uid']
  if (is['as-groups']) headers['Impersonate-Group'] = is['as-groups']
  for (const [key, values] of Object.entries(is['as-user-extra'] ?? {})) {
    headers[`Impersonate-Extra-${escapeName(key)}`] = values
  }
  return headers
}

/** As client-go: all that no name of a header can have. */
const escapeName = (key: string): string =>
  encodeURIComponent(key.replaceAll(/\p{Surrogate}/gu, '\ufffd')).replaceAll(
    /[()]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** The `-data` form wins over the file, as in client-go. */
function textSource<T extends Record<string, unknown>>(
  { file, is, where }: Place<T>,
  keys: { readonly inPlace: string; readonly path: string },
): TextSource | undefined {
  const [data, path] = [is[keys.inPlace], is[keys.path]]
  const name = `${keys.path} of ${where}`
  if (typeof data === 'string' && data !== '') {
    return { text: decodeBase64(data, `${keys.inPlace} of ${where}`), name }
  }
  if (typeof path !== 'string' || path === '') return undefined
  const source = { file: resolve(dirname(file), path), name }
  try {
    readOnce(source)
  } catch (error) {
    throw new InvalidInput(`reading ${(error as Error).message}`, { cause: error })
  }
  return source
}

/** Buffer.from would skip over what is not base64. */
function decodeBase64(data: string, name: string): string {
  const compact = data.replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact) || compact.length % 4 !== 0) {
    throw new InvalidInput(
      `reading ${name}: expected base64, got "${data.slice(0, 20)}${data.length > 20 ? '...' : ''}"; ` +
        'make it with base64 -w0, or name a file with the key that has no -data',
    )
  }
  return Buffer.from(compact, 'base64').toString('utf8')
}

function certificatesIn(source: TextSource): void {
  try {
    void new X509Certificate(readOnce(source))
  } catch (error) {
    const got = 'file' in source ? ` in ${source.file}` : ''
    throw new InvalidInput(
      `reading ${source.name}: expected a certificate in PEM${got}, got something else: ${(error as Error).message}`,
      { cause: error },
    )
  }
}

/** What an exec plugin with `provideClusterInfo` is told. */
function clusterInfo({ is }: Entry<ClusterEntry>, endpoint: Endpoint): unknown {
  const extension = is.extensions?.find(({ name }) => name === 'client.authentication.k8s.io/exec')
  const ca = endpoint.ca === undefined ? undefined : readOnce(endpoint.ca)
  return {
    server: endpoint.server,
    'tls-server-name': endpoint.serverName,
    'insecure-skip-tls-verify': endpoint.insecure || undefined,
    'certificate-authority-data': ca === undefined ? undefined : Buffer.from(ca).toString('base64'),
    config: extension?.extension,
  }
}
