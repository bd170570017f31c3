/**
 * Who may look. A token is given as `Authorization: Bearer`, or once in a form that leaves a cookie:
 * until when, and a signature by the token, so that nothing is remembered here, and another token
 * ends all sessions. A proxy that knows its users names them in a header; without it nobody passes.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

import type { Clock } from '../ports/clock.ts'
import { loginPage } from './http-login-page.ts'
import { jsonReply, notAllowed, type HttpReply, type HttpRequest } from './http-server-answer.ts'

export type Access =
  | { readonly by: 'anybody' }
  | { readonly by: 'token'; readonly token: string }
  | { readonly by: 'proxy'; readonly header: string }

/** An answer to those who may not pass, or who come to say who they are; undefined: it may pass. */
export type Gate = (request: HttpRequest) => HttpReply | undefined

const SESSION_SECONDS = 12 * 3600
const COOKIE = 'mbcas-session'

export function openGate(access: Access, clock: Pick<Clock, 'wall'>): Gate {
  if (access.by === 'anybody') return () => undefined
  if (access.by === 'proxy') return ({ headers }) => refuseUnnamed(headers, access.header)
  const { token } = access
  return (request) => {
    if (request.path === '/login') return answerLogin(request, token, clock)
    const isKnown =
      isBearer(request.headers.authorization, token) ||
      isSession(cookieIn(request.headers.cookie), token, clock.wall())
    return isKnown ? undefined : refuse(request)
  }
}

function refuseUnnamed(headers: HttpRequest['headers'], name: string): HttpReply | undefined {
  const user = headers[name.toLowerCase()]
  if (typeof user === 'string' && user.trim() !== '') return undefined
  const error = `expected the header ${name}, which the proxy before this server sets`
  return jsonReply({ error }, { status: 401 })
}

function refuse({ path, headers, method }: HttpRequest): HttpReply {
  const isPage = method === 'GET' && (headers.accept ?? '').includes('text/html')
  if (isPage) return seeOther(`/login?next=${encodeURIComponent(path)}`)
  const error = 'expected a token: open /login, or send Authorization: Bearer TOKEN'
  return jsonReply({ error }, { status: 401, headers: { 'www-authenticate': 'Bearer' } })
}

function answerLogin(
  request: HttpRequest,
  token: string,
  clock: Pick<Clock, 'wall'>,
): HttpReply | undefined {
  const { method, query, headers, body } = request
  if (method === 'GET' || method === 'HEAD') {
    return loginPage({ next: localPath(query.get('next')), isWrong: false })
  }
  if (method !== 'POST') return notAllowed(method, '/login', ['GET', 'POST'])
  if (!isSameOrigin(headers)) {
    return jsonReply({ error: 'expected a form of this page, got one of another' }, { status: 403 })
  }
  const form = new URLSearchParams(body.toString())
  const next = localPath(form.get('next'))
  if (!isSame(form.get('token') ?? '', token)) return loginPage({ next, isWrong: true })
  return seeOther(next, { 'set-cookie': sessionCookie(headers, token, clock.wall()) })
}

const seeOther = (location: string, headers: Readonly<Record<string, string>> = {}): HttpReply => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', ...headers },
  body: '',
})

/** Never to another host, which `//elsewhere` would be. */
const localPath = (next: string | null): string =>
  next !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) ? next : '/'

function isSameOrigin({ origin, host }: HttpRequest['headers']): boolean {
  if (origin === undefined) return true
  return URL.canParse(origin) && new URL(origin).host === host
}

function sessionCookie(headers: HttpRequest['headers'], token: string, now: number): string {
  const until = String(now + SESSION_SECONDS * 1000)
  const isSecure = headers['x-forwarded-proto'] === 'https'
  return [
    `${COOKIE}=${until}.${sign(until, token)}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${SESSION_SECONDS}`,
    ...(isSecure ? ['Secure'] : []),
  ].join('; ')
}

const cookieIn = (header: string | undefined): string =>
  (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1) ?? ''

function isSession(cookie: string, token: string, now: number): boolean {
  const [until = '', signature = ''] = cookie.split('.')
  return isSame(signature, sign(until, token)) && Number(until) > now
}

const isBearer = (header: string | undefined, token: string): boolean =>
  isSame(/^Bearer (.+)$/i.exec(header ?? '')?.[1] ?? '', token)

const sign = (text: string, token: string): string =>
  createHmac('sha256', token).update(`mbcas dashboard session ${text}`).digest('base64url')

/** In a time that tells nothing about how much of it is right. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
