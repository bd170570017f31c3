/** What keeps a page from being used against the person who looks at it. */
import { isIP } from 'node:net'

import { jsonReply, type HttpReply, type HttpRequest } from './http-server-answer.ts'

/** The page brings all its parts itself: nothing inline, nothing from elsewhere, in nobody's frame. */
const policy = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin', // with none, a browser would not say that a form is of our own page
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/**
 * Of a server on a loopback address: a page from elsewhere can name that address by a host name of its
 * own (DNS rebinding), and would then read our answers as its own. Its requests carry that name.
 */
export function refuseForeignHost({ headers }: HttpRequest): HttpReply | undefined {
  const name = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  if (isLoopback(name) || name.endsWith('.localhost')) return undefined
  const error = `expected a request for localhost or 127.0.0.1, got one for ${JSON.stringify(name)}`
  return jsonReply({ error }, { status: 421 })
}
