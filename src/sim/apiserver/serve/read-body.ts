/** What a request carries: JSON, YAML or protobuf, as an object of the type that it is for. */
import { decode, type UnknownFields } from '../decode/decode.ts'
import { setDefaults } from '../decode/set-defaults.ts'
import { type ApiObject, isJsonObject, type JsonObject } from '../object.ts'
import { jsonTypeName } from '../patch/go-text.ts'
import { decodeProtobuf } from '../protobuf/decode-protobuf.ts'
import { badRequest, unsupportedMediaType } from '../refusal.ts'
import { apiVersionOf, type ResourceType } from '../resource-type.ts'
import { shapeOf } from '../types/shape-of.ts'
import { isCustom } from '../write/cluster.ts'
import type { Request } from './exchange.ts'
import { parseJson } from './parse-json.ts'
import { parseYaml } from './parse-yaml.ts'
import type { WriteQuery } from './query.ts'

export const mediaTypeOf = ({ headers }: Request): string =>
  (headers['content-type'] ?? 'application/json').split(';', 1)[0]?.trim() ?? ''

export const textOf = ({ body = '' }: Request): string =>
  typeof body === 'string' ? body : Buffer.from(body).toString('utf8')

const bytesOf = ({ body = '' }: Request): Uint8Array =>
  typeof body === 'string' ? Buffer.from(body) : body

/** `kind` is what the path is for. */
export function readBody(request: Request, kind: string): JsonObject {
  switch (mediaTypeOf(request)) {
    case 'application/json':
      return readJson(textOf(request), kind)
    case 'application/yaml':
      return readYaml(textOf(request), kind)
    case 'application/vnd.kubernetes.protobuf':
      return decodeProtobuf(bytesOf(request), shapeOf)
    default:
      throw unsupportedMediaType(
        'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      )
  }
}

const unrecognized = (kind: string, why: string) =>
  badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`)

function readJson(text: string, kind: string): JsonObject {
  const said = (why: string, shown: string) =>
    unrecognized(kind, `couldn't get version/kind; json parse error: ${why} (${shown})`)
  if (text.trim() === '') throw said('unexpected end of JSON input', '<empty>')
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw said((error as Error).message, text)
  }
  if (isJsonObject(value)) return value
  throw said(`expected an object, got ${typeof value}`, text)
}

function readYaml(text: string, kind: string): JsonObject {
  let value: unknown
  try {
    value = parseYaml(text, parseJson)
  } catch (error) {
    throw unrecognized(kind, `yaml: ${(error as Error).message.split('\n', 1)[0]}`)
  }
  if (isJsonObject(value)) return value
  throw unrecognized(kind, `yaml: expected an object, got ${typeof value}`)
}

const modes: Readonly<Record<WriteQuery['validation'], UnknownFields>> = {
  Ignore: 'drop',
  Warn: 'warn',
  Strict: 'refuse',
}

export type Read = { readonly object: ApiObject; readonly warnings: readonly string[] }

/** Decoded, with its defaults, and of the type's kind. */
export function readObject(
  type: ResourceType,
  value: JsonObject,
  validation: WriteQuery['validation'],
): Read {
  checkKind(type, value)
  const { shape, strategy, kind } = type
  const { object, warnings } = decode(value, shape, { unknown: modes[validation] })
  const { kind: _, apiVersion: __, metadata = {}, ...rest } = object
  const typed = { kind, apiVersion: apiVersionOf(type), metadata, ...rest }
  const defaulted = setDefaults(typed, shape) as unknown as ApiObject
  return { object: strategy.setDefaults?.(defaulted) ?? defaulted, warnings }
}

type TypeMeta = { readonly kind: string; readonly apiVersion: string }

function checkKind(type: ResourceType, value: JsonObject): void {
  for (const field of ['apiVersion', 'kind'] as const) {
    const given = value[field]
    if (given === undefined || given === null || typeof given === 'string') continue
    throw badRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeName(given)} into Go struct field TypeMeta.${field} of type string`,
    )
  }
  const { kind: ofKind, apiVersion: ofVersion } = value as Partial<TypeMeta>
  const [kind, apiVersion] = [ofKind ?? type.kind, ofVersion ?? apiVersionOf(type)]
  if (kind === type.kind && apiVersion === apiVersionOf(type)) return
  if (isCustom(type)) {
    throw badRequest(
      kind === type.kind
        ? `the API version in the data (${apiVersion}) does not match the expected API version (${apiVersionOf(type)})`
        : `the kind in the data (${kind}) does not match the expected kind (${type.kind})`,
    )
  }
  const said =
    apiVersion === apiVersionOf(type)
      ? 'unknown conversion'
      : `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`
  throw badRequest(
    `${kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${said}`,
  )
}
