/** From a request to its answer: which verb of which resource, or something about the server itself. */
import { methodNotAllowed, Refusal } from '../refusal.ts'
import type { Call, Core } from './core.ts'
import { deleteObject, deleteObjects } from './delete.ts'
import { describeServer } from './describe.ts'
import { type Answer, refusalAnswer, type Request, textAnswer, withWarning } from './exchange.ts'
import { type Faults, withFault } from './faults.ts'
import { findObject, getObject } from './get.ts'
import { listObjects } from './list.ts'
import { patchObject } from './patch.ts'
import { postAction, postObject } from './post.ts'
import { putObject } from './put.ts'
import { readFlag } from './query.ts'
import { isReview, postReview } from './reviews.ts'
import { routeOf } from './route.ts'
import { watchObjects } from './watch.ts'

export function createHandler(core: Core, faults?: Faults): (request: Request) => Answer {
  const act = (request: Request): Answer => {
    const [path = '', search = ''] = request.path.split('?', 2)
    const route = routeOf(core.catalog, path)
    const call = route && { ...request, ...route, query: new URLSearchParams(search) }
    const fault = faults?.({
      verb: call === undefined ? request.method.toLowerCase() : verbOf(call),
      resource: call?.type.plural ?? '',
      userAgent: request.headers['user-agent'] ?? '',
    })
    return withFault(fault, () =>
      call === undefined
        ? refusing(() => describeServer(request, { path, types: core.catalog.all() }))
        : warning(
            call.type,
            refusing(() => perform(core, call)),
          ),
    )
  }
  return (request) => refusing(() => act(request))
}

function refusing(act: () => Answer): Answer {
  try {
    return act()
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error)
    throw error
  }
}

const warning = ({ deprecationWarning: text }: Call['type'], answer: Answer): Answer =>
  text === undefined ? answer : withWarning(answer, text)

const isWatch = ({ query }: Call): boolean => readFlag(query, 'watch') === true

/** As in discovery and in RBAC. */
function verbOf(call: Call): string {
  const { method, name } = call
  if (method === 'GET') return name === undefined ? (isWatch(call) ? 'watch' : 'list') : 'get'
  if (method === 'DELETE') return name === undefined ? 'deletecollection' : 'delete'
  return verbs[method] ?? method.toLowerCase()
}
const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch' }

function perform(core: Core, call: Call): Answer {
  const { type, name, subresource } = call
  const verb = verbOf(call)
  if (subresource !== '') return performOnPart(core, call)
  if (isReview(call)) {
    if (verb === 'create') return postReview(core, call)
    throw methodNotAllowed()
  }
  if (type.verbs?.includes(verb) === false) throw methodNotAllowed()
  if (collectionVerbs.has(verb) !== (name === undefined)) throw methodNotAllowed()
  switch (verb) {
    case 'list':
      return listObjects(core, call)
    case 'watch':
      return watchObjects(core, call)
    case 'get':
      return getObject(core, call)
    case 'create':
      return postObject(core, call)
    case 'update':
      return putObject(core, call)
    case 'patch':
      return patchObject(core, call)
    case 'delete':
      return deleteObject(core, call)
    case 'deletecollection':
      return deleteObjects(core, call)
    default:
      throw methodNotAllowed()
  }
}

const collectionVerbs = new Set(['list', 'watch', 'create', 'deletecollection'])

/** Some subresources are read and written, others are done by a POST. */
function performOnPart(core: Core, call: Call): Answer {
  const { type, subresource, method } = call
  if (subresource !== '' && type.actions?.[subresource] !== undefined) {
    if (method === 'POST') return postAction(core, call, subresource)
    throw methodNotAllowed()
  }
  if (method === 'GET') {
    const write = subresource === '' ? undefined : type.texts?.[subresource]
    if (write) return textAnswer(200, write(findObject(core, call), call.query))
    return getObject(core, call)
  }
  if (method === 'PUT') return putObject(core, call)
  if (method === 'PATCH') return patchObject(core, call)
  throw methodNotAllowed()
}
