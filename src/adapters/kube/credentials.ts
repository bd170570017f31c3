/** Who we are to the API server, kept fresh: files are read again, plugins run before their token ends. */
import { X509Certificate } from 'node:crypto'

import { InvalidInput } from '../../core/errors.ts'
import type { Clock } from '../../ports/clock.ts'
import { type ExecPlugin, sourceOf, type User } from './config.ts'
import type { ExecCredential } from './exec-plugin.ts'
import { rotatingText } from './rotating-text.ts'

export type Identity = {
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly certificate: string | undefined
  readonly key: string | undefined
}

export type Credentials = {
  readonly identity: () => Promise<Identity>
  /** After a 401 to `refused`: whether there is another identity to try. */
  readonly renew: (refused: Identity) => Promise<boolean>
  /** Why the server may have answered 401, and what to do. */
  readonly whyRefused: (refused: Identity) => string
}

export function createCredentials(user: User, clock: Clock): Credentials {
  const source = secretSource(user, clock)
  const pair = user.certificate
  const certificate = pair && rotatingText(pair.certificate, clock)
  const key = pair && rotatingText(pair.key, clock)
  const identity = async (): Promise<Identity> => {
    const { authorization, ...given } = await source.read()
    const headers = {
      ...user.impersonation,
      ...(authorization === undefined ? {} : { Authorization: authorization }),
    }
    checkHeaders(headers, user.name)
    return {
      headers,
      certificate: given.certificate ?? certificate?.read(),
      key: given.key ?? key?.read(),
    }
  }
  return {
    identity,
    renew: async (refused) => {
      source.expire()
      certificate?.expire()
      key?.expire()
      return !isSame(await identity(), refused)
    },
    whyRefused: (refused) => whyRefused(user, refused, clock.wall()),
  }
}

/** What Node sends; it throws its own error at all else. */
const sendable = /^[\t\x20-\x7e\x80-\xff]*$/

/** A token of two lines, or a name in letters that headers do not have: which, not what, is said. */
function checkHeaders(headers: Identity['headers'], user: string): void {
  for (const [name, value] of Object.entries(headers)) {
    if ([value].flat().every((text) => sendable.test(text))) continue
    const what = name === 'Authorization' ? 'the token' : `what is sent as ${name}`
    throw new InvalidInput(
      `reading ${what} of ${user}: expected one line that an HTTP header can have, got other characters or a line break`,
    )
  }
}

const isSame = (a: Identity, b: Identity): boolean =>
  a.headers['Authorization'] === b.headers['Authorization'] &&
  a.certificate === b.certificate &&
  a.key === b.key

type Given = { authorization?: string; certificate?: string | undefined; key?: string | undefined }
type SecretSource = { readonly read: () => Promise<Given>; readonly expire: () => void }

function secretSource({ secret, name }: User, clock: Clock): SecretSource {
  if (secret.kind === 'exec') return execSource(secret.plugin, name, clock)
  if (secret.kind === 'token') {
    const { read, expire } = rotatingText(secret.token, clock)
    return { read: async () => ({ authorization: `Bearer ${read()}` }), expire }
  }
  if (secret.kind === 'none') return { read: async () => ({}), expire: () => {} }
  const pair = Buffer.from(`${secret.username}:${secret.password}`).toString('base64')
  return { read: async () => ({ authorization: `Basic ${pair}` }), expire: () => {} }
}

/** A token is renewed a minute before its end, or halfway if it does not even live two. */
const margin = 60_000
/** A plugin whose tokens are refused is not asked for more at once: it may cost a log-in. */
const shortestPause = 10_000

function execSource(plugin: ExecPlugin, user: string, clock: Clock): SecretSource {
  let credential: ExecCredential | undefined
  let run: Promise<ExecCredential> | undefined // one run serves all who wait
  let ranAt = -Infinity
  let goodUntil = Infinity
  const runOnce = async (): Promise<ExecCredential> => {
    try {
      const { runExecPlugin } = await import('./exec-plugin.ts')
      credential = await runExecPlugin(plugin, { user })
      ranAt = clock.now()
      const life = (credential.expires ?? Infinity) - clock.wall()
      goodUntil = ranAt + Math.max(life - margin, life / 2, shortestPause)
      return credential
    } finally {
      run = undefined
    }
  }
  const current = async (): Promise<ExecCredential> => {
    if (credential !== undefined && clock.now() < goodUntil) return credential
    run ??= runOnce()
    return run
  }
  return {
    read: async () => {
      const { token, certificate, key } = await current()
      const secret = token === undefined ? {} : { authorization: `Bearer ${token}` }
      return { ...secret, certificate, key }
    },
    expire: () => {
      if (clock.now() - ranAt >= shortestPause) credential = undefined
    },
  }
}

function whyRefused(user: User, refused: Identity, now: number): string {
  const { secret, name, certificate } = user
  if (secret.kind === 'exec') {
    return `the exec plugin ${secret.plugin.command} of ${name} gives credentials that are refused: log in to its cloud again, and see that this identity may use the cluster`
  }
  if (secret.kind === 'token') {
    const end = tokenEnd(refused.headers['Authorization'])
    const fault =
      end !== undefined && end <= now ? `expired on ${when(end)}` : 'is expired or wrong'
    const place = 'file' in secret.token ? ` (${secret.token.file})` : ''
    return `${secret.token.name}${place} ${fault}: put a new one there`
  }
  if (secret.kind === 'password') {
    return `the username or password of ${name} is wrong, or this server takes none (Kubernetes 1.19 removed them): use a token or a client certificate`
  }
  if (certificate === undefined || refused.certificate === undefined) {
    return `${name} has no credentials: give it a token, a client certificate or an exec plugin`
  }
  const { validTo, subject } = new X509Certificate(refused.certificate)
  const end = Date.parse(validTo)
  const place = `the client certificate of ${name} (${sourceOf(certificate.certificate)})`
  return end <= now
    ? `${place} expired on ${when(end)}: renew it`
    : `${place}, ${subject.replaceAll('\n', ', ')}, is not signed by the CA that this server trusts for clients: is it of this cluster?`
}

const when = (wall: number): string => new Date(wall).toISOString()

/** `exp` of a JSON web token, if it is one; other tokens do not say when they end. */
function tokenEnd(authorization: string | readonly string[] | undefined): number | undefined {
  const claims = String(authorization).split('.')[1]
  if (claims === undefined) return undefined
  try {
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as {
      exp?: unknown
    }
    return typeof exp === 'number' ? exp * 1000 : undefined
  } catch {
    return undefined
  }
}
