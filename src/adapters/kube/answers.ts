/** Reads the server's answers: JSON, or a `Status` that becomes an `ApiError` with a hint. */
import { topologyGroup } from '../../apis/names.ts'
import { ApiError, ConnectionFailed, missingTypeWords } from '../../ports/kube.ts'
import { readBounded, TooLong } from '../http-text.ts'
import type { Headers } from './exchange.ts'
import { type AnyResource, resourceName } from './paths.ts'
import type { HttpAnswer } from './transport.ts'

/** `Status` of meta/v1, as far as we read it. */
export type Status = {
  readonly code?: number
  readonly reason?: string
  readonly message?: string
  readonly details?: {
    readonly retryAfterSeconds?: number
    readonly causes?: readonly { reason?: string; message?: string; field?: string }[]
  }
}

export type Asked = {
  /** `listing pods on https://127.0.0.1:6443` */
  readonly request: string
  readonly resource?: AnyResource | undefined
  readonly subresource?: string | undefined
}

export type HttpRead = (answer: HttpAnswer, asked: Asked) => Promise<unknown>

/** An object has 3 MiB at most, in another form; discovery of a large cluster some hundred KB. */
const mostBytes = 8 * 1024 * 1024
/** Of a `Status`, or of a proxy's page. */
const mostErrorBytes = 256 * 1024

export async function readJson(answer: HttpAnswer, asked: Asked): Promise<unknown> {
  const isError = answer.status >= 300
  const text = await readText(answer, asked, isError ? mostErrorBytes : mostBytes)
  if (isError) throw errorOf(answer, text, asked)
  if (!typeOf(answer).includes('json') && asked.resource === undefined) return text
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw notJson(answer, { asked, text, cause: error })
  }
}

/** What `parse` makes of a good answer as it comes; others as `readJson`. */
export async function readParsed<T>(
  answer: HttpAnswer,
  asked: Asked,
  parse: (chunks: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  if (answer.status >= 300) return (await readJson(answer, asked)) as T
  try {
    return await parse(answer.chunks)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw notJson(answer, { asked, text: error.message, cause: error })
  }
}

const typeOf = ({ headers }: HttpAnswer): string => headerOf(headers, 'content-type') ?? ''

function notJson(
  answer: HttpAnswer,
  { asked, text, cause }: { asked: Asked; text: string; cause: unknown },
): ConnectionFailed {
  const type = typeOf(answer) || 'no content type'
  return new ConnectionFailed(
    `${asked.request}: expected JSON, got ${type}: ${shorten(text)}; is this an API server?`,
    { sent: true, passing: false, cause },
  )
}

async function readText({ chunks }: HttpAnswer, asked: Asked, most: number): Promise<string> {
  try {
    return await readBounded(chunks, { mostBytes: most })
  } catch (error) {
    if (!(error instanceof TooLong)) throw error
    throw new ConnectionFailed(
      `${asked.request}: ${error.message} of an answer; is this an API server?`,
      { sent: true, passing: false, cause: error },
    )
  }
}

/** For an answer that was read: what the server said, or what its code means. */
function errorOf(answer: HttpAnswer, text: string, asked: Asked): ApiError {
  const { status: code, headers, whyRefused } = answer
  const status = parseStatus(text) ?? { message: plainWords(code, text) }
  const retryAfterSeconds = retryAfterOf(headers)
  const details = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
  return apiErrorOf(
    { ...status, code, details: { ...status.details, ...details } },
    { ...asked, hint: whyRefused },
  )
}

/** For a `Status`, which may also come as an event of a watch. */
export function apiErrorOf(status: Status, asked: Asked & { hint?: string | undefined }): ApiError {
  const { code = 500, message = '', details } = status
  const said = message === '404 page not found' ? missingTypeWords : message
  return new ApiError(asked.request, {
    code,
    reason: status.reason || reasons[code] || 'Unknown',
    said,
    causes: (details?.causes ?? []).map(({ reason = '', message = '', field }) =>
      field === undefined ? { reason, message } : { reason, message, field },
    ),
    retryAfterSeconds: details?.retryAfterSeconds,
    hint: asked.hint ?? hintFor(code, said, asked),
  })
}

function hintFor(code: number, said: string, asked: Asked): string | undefined {
  if (code === 404 && said === missingTypeWords) return missingType(asked)
  // RBAC's words; admission also answers 403, and says itself what it wants.
  if (code === 403 && / cannot \w+ (resource|path) "/.test(said)) {
    return 'grant it with a Role or ClusterRole (kubectl auth can-i --list shows what one may)'
  }
  return undefined
}

/** What an answer that is no `Status` means: Go's file-not-found page, a proxy's error page. */
const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

function missingType({ resource, subresource }: Asked): string | undefined {
  if (resource === undefined) return undefined
  const type = resourceName(resource, subresource)
  if (resource.group.endsWith('.mbcas.io') || resource.group === topologyGroup) {
    return `the resource type ${type} is not installed: kubectl apply -f deploy/crds`
  }
  const builtIn = !resource.group.includes('.') || resource.group.endsWith('.k8s.io')
  return builtIn
    ? `this server does not have ${type} in ${resource.version}: is it too old? MBCAS needs Kubernetes 1.33 or later (kubectl version)`
    : `the resource type ${type} is not installed on this server`
}

function parseStatus(text: string): Status | undefined {
  try {
    const value = JSON.parse(text) as Status & { kind?: string }
    return value.kind === 'Status' ? value : undefined
  } catch {
    return undefined
  }
}

const plainWords = (code: number, text: string): string =>
  shorten(text) || `the server gave no reason${code < 400 ? ', but sent us elsewhere' : ''}`

const shorten = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 200 ? `${line.slice(0, 200)}...` : line
}

/** Seconds; a date, which only proxies send, is counted from the answer's own `Date`. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headerOf(headers, 'retry-after')
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Number(text)
  const span = Date.parse(text) - Date.parse(headerOf(headers, 'date') ?? '')
  return Number.isNaN(span) ? undefined : Math.max(0, Math.ceil(span / 1000))
}

export const headerOf = (headers: Headers, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : value?.[0]
}
