/** What the server says about itself: that it lives, its version, and what it serves just now. */
import { discover } from '../discovery/discover.ts'
import { openApiDocument, openApiIndex } from '../openapi/document.ts'
import type { ResourceType } from '../resource-type.ts'
import { jsonAnswer, type Request, textAnswer, type Whole } from './exchange.ts'

const version = JSON.stringify(
  {
    major: '1',
    minor: '36',
    emulationMajor: '1',
    emulationMinor: '36',
    minCompatibilityMajor: '1',
    minCompatibilityMinor: '35',
    gitVersion: 'v1.36.3+mbcas',
    gitCommit: '',
    gitTreeState: '',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: '',
    platform: 'linux/amd64',
  },
  undefined,
  2,
)

const openApi = '/openapi/v3'

/**
 * kubectl looks into the second version of OpenAPI for a List and for kinds that it finds nowhere, and
 * leaves to the server what it does not find there either: so this one tells only its version.
 */
const secondOpenApi = {
  json: JSON.stringify({
    swagger: '2.0',
    info: { title: 'Kubernetes', version: 'v1.36.3' },
    paths: {},
  }),
  /** Field 1, three bytes. */
  protobuf: '\n\u00032.0',
}
/** Asked for by a name that is no media type, and so answered with another. */
const openApiProtobuf = {
  asked: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  answered: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
}

function describeSecondly(accept: string): Whole {
  if (!accept.includes(openApiProtobuf.asked)) return jsonAnswer(200, secondOpenApi.json)
  return {
    ...textAnswer(200, secondOpenApi.protobuf),
    headers: { 'content-type': openApiProtobuf.answered },
  }
}

export function describeServer(
  { headers }: Request,
  { path, types }: { readonly path: string; readonly types: readonly ResourceType[] },
): Whole {
  switch (path) {
    case '/livez':
    case '/readyz':
    case '/healthz':
      return textAnswer(200, 'ok')
    case '/version':
      return jsonAnswer(200, version)
    case '/openapi/v2':
      return describeSecondly(headers['accept'] ?? '')
    case openApi:
      return jsonAnswer(200, JSON.stringify(openApiIndex(types)))
  }
  if (path.startsWith(`${openApi}/`)) {
    const document = openApiDocument(path.slice(openApi.length + 1), types)
    return document === undefined ? notServed : jsonAnswer(200, JSON.stringify(document))
  }
  const found = discover(path, headers['accept'] ?? '', types)
  if (found === undefined) return notServed
  const answer = jsonAnswer(200, JSON.stringify(found.body))
  return { ...answer, headers: { ...answer.headers, 'content-type': found.contentType } }
}

const notServed = textAnswer(404, '404 page not found\n')
