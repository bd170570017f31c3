/** Why a connection failed, in words that say what to do. Every wording is in this file. */
import { X509Certificate } from 'node:crypto'
import { connect, type PeerCertificate } from 'node:tls'

import { systemClock } from '../system-clock.ts'
import { type KubeConfig, sourceOf } from './config.ts'
import { readOnce } from './rotating-text.ts'

export type Failure = {
  readonly why: string
  /** Another try may succeed, without anybody doing something about it. */
  readonly passing: boolean
}

export class TimedOut extends Error {
  override readonly name = 'TimedOut'
}

const untrustedCodes = new Set([
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'INVALID_CA',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

const codeOf = (error: Error): string => (error as NodeJS.ErrnoException).code ?? ''

/** The certificate is not signed by the CA that we know. */
export const isUntrusted = (error: Error): boolean => untrustedCodes.has(codeOf(error))

export async function explainFailure(error: Error, config: KubeConfig): Promise<Failure> {
  const code = codeOf(error)
  if (isUntrusted(error)) {
    return { why: notTrusted(await look(config), config, error), passing: false }
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return { why: outOfTime(code, await look(config)), passing: false }
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return { why: wrongName(error, config), passing: false }
  }
  if (/ALERT.*(CERT|UNKNOWN_CA|BAD_CERTIFICATE)/.test(code)) {
    const why =
      expiredClient(config) ??
      `the server refuses the client certificate of ${config.user.name} (${lastWords(error)}): is it expired, or of another cluster?`
    return { why, passing: false }
  }
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    // With TLS 1.3 the server refuses after the handshake, and the alert is often lost.
    const why = expiredClient(config)
    if (why !== undefined) return { why, passing: false }
  }
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|^EPROTO$/.test(code)) {
    return {
      why: `it does not speak TLS (${lastWords(error)}): is the port right, or should the server of ${config.cluster} start with http://?`,
      passing: false,
    }
  }
  return plainFailure(error, code, config)
}

function plainFailure(error: Error, code: string, { cluster }: KubeConfig): Failure {
  if (error instanceof TimedOut) return { why: error.message, passing: true }
  const address = `the address is from ${cluster}`
  switch (code) {
    case 'ECONNREFUSED':
      return { why: `connection refused: is the API server running? ${address}`, passing: true }
    case 'ENOTFOUND':
      return { why: `DNS does not know this name; ${address}`, passing: false }
    case 'EAI_AGAIN':
      return { why: 'DNS does not answer', passing: true }
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return { why: `it cannot be reached (${code}); ${address}`, passing: true }
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return { why: 'the connection broke before the answer was complete', passing: true }
    default:
      return {
        why:
          code === '' || error.message.includes(code)
            ? error.message
            : `${error.message} (${code})`,
        passing: true,
      }
  }
}

function notTrusted(seen: Seen, { ca, cluster }: KubeConfig, error: Error): string {
  const which = seen === undefined ? 'its certificate' : `its certificate, ${describe(seen)},`
  return ca === undefined
    ? `${which} is not signed by a CA that this machine knows (${error.message}): give the cluster's CA as certificate-authority of ${cluster}`
    : `${which} is not signed by the CA in ${sourceOf(ca)} (${error.message}): is this the server of ${cluster}? If so, give its CA as certificate-authority`
}

function outOfTime(code: string, seen: Seen): string {
  const which = seen === undefined ? 'its certificate' : `its certificate, ${describe(seen)},`
  if (code === 'CERT_NOT_YET_VALID') {
    const start = seen === undefined ? '' : ` before ${isoTime(seen.valid_from)}`
    return `${which} is not valid${start}: are the clocks of this machine and the server right?`
  }
  const end = seen === undefined ? '' : ` on ${isoTime(seen.valid_to)}`
  return `${which} expired${end}: renew the API server's certificate (kubeadm certs renew apiserver), or check this machine's clock`
}

function expiredClient({ user }: KubeConfig): string | undefined {
  if (user.certificate === undefined) return undefined
  const { certificate } = user.certificate
  try {
    const { validTo } = new X509Certificate(readOnce(certificate))
    if (Date.parse(validTo) > systemClock.wall()) return undefined
    return `the client certificate of ${user.name} (${sourceOf(certificate)}) expired on ${isoTime(validTo)}: renew it`
  } catch {
    return undefined // it was readable when it was sent
  }
}

type WrongName = Error & { readonly host?: string; readonly cert?: PeerCertificate }

function wrongName({ host, cert }: WrongName, { cluster }: KubeConfig): string {
  const names = (cert?.subjectaltname ?? '')
    .split(', ')
    .map((name) => name.replace(/^(DNS|IP Address):/, ''))
    .filter((name) => name !== '')
  const one = names[0] ?? 'a name that it is for'
  const known = names.length === 0 ? 'no name' : names.join(', ')
  return `its certificate is for ${known}, not for ${host ?? 'this address'}: set tls-server-name: ${one} in ${cluster}, or use an address that it is for`
}

type Seen = PeerCertificate | undefined

/**
 * A connection that failed verification does not tell whose certificate it was. So we look once more,
 * without verifying and without sending a byte of ours.
 */
async function look({ server, serverName }: KubeConfig): Promise<Seen> {
  const { hostname, port } = new URL(server)
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      rejectUnauthorized: false,
      ...(serverName === undefined ? {} : { servername: serverName }),
    })
    const end = (seen?: PeerCertificate) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(seen)
    }
    const timer = setTimeout(end, longestLook)
    socket.once('secureConnect', () => end(socket.getPeerCertificate()))
    socket.once('error', () => end())
  })
}

const longestLook = 2000

const describe = ({ subject, issuer }: PeerCertificate): string =>
  `of "${String(subject?.CN)}" by "${String(issuer?.CN)}"`

const isoTime = (text: string): string => new Date(text).toISOString()

/** OpenSSL's message ends with its reason: `...:SSL routines:...:sslv3 alert certificate expired:...`. */
const lastWords = (error: Error): string => {
  const parts = error.message.trim().split(':')
  return parts.find((part) => /alert|wrong version|too long/.test(part)) ?? error.message.trim()
}
