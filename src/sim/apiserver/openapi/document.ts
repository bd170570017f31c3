/** OpenAPI v3, a document a group version, for `kubectl explain`, `apply`, `diff` and `create`. */
import { createHash } from 'node:crypto'

import { groupsOf } from '../discovery/groups.ts'
import type { JsonObject } from '../object.ts'
import { apiVersionOf, type ResourceType } from '../resource-type.ts'
import { addKind } from './kinds.ts'
import { pathsOf } from './paths.ts'
import type { Schemas } from './schema.ts'

/** By path under `/openapi/v3/`: `api/v1`, `apis/apps/v1`. */
function typesByPath(
  types: readonly ResourceType[],
): ReadonlyMap<string, readonly [ResourceType, ...ResourceType[]]> {
  const paths = new Map<string, [ResourceType, ...ResourceType[]]>()
  for (const { name, versions } of groupsOf(types)) {
    for (const { types: own } of versions) {
      const [first, ...rest] = own
      if (!first) continue
      paths.set(`${name === '' ? 'api' : 'apis'}/${apiVersionOf(first)}`, [first, ...rest])
    }
  }
  return paths
}

/** The hashes change with the documents, so that clients may keep those. */
export const openApiIndex = (types: readonly ResourceType[]): JsonObject => ({
  paths: Object.fromEntries(
    Array.from(typesByPath(types), ([path, own]) => [
      path,
      { serverRelativeURL: `/openapi/v3/${path}?hash=${documentOf(own).hash}` },
    ]),
  ),
})

/** `path` as in the index; undefined where nothing is served. */
export function openApiDocument(
  path: string,
  types: readonly ResourceType[],
): JsonObject | undefined {
  const own = typesByPath(types).get(path)
  return own && documentOf(own).document
}

type Made = {
  readonly from: readonly ResourceType[]
  readonly hash: string
  readonly document: JsonObject
}

/** By the first resource type of the group version: a type that changes is a new object. */
const made = new WeakMap<ResourceType, Made>()

function documentOf(types: readonly [ResourceType, ...ResourceType[]]): Made {
  const known = made.get(types[0])
  if (known?.from.length === types.length && known.from.every((type, i) => type === types[i])) {
    return known
  }
  const document = writeDocument(types)
  const hash = createHash('sha256').update(JSON.stringify(document)).digest('hex').toUpperCase()
  const fresh = { from: types, hash, document }
  made.set(types[0], fresh)
  return fresh
}

function writeDocument(types: readonly ResourceType[]): JsonObject {
  const schemas: Schemas = new Map()
  const paths = types.flatMap((type) => pathsOf(type, addKind(type, schemas)))
  const names = [...schemas.keys()].toSorted()
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.36.3' },
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(names.map((name) => [name, schemas.get(name)])) },
  }
}
