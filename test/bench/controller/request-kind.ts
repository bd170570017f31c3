/**
 * What is asked of an API server, in short.
 *
 *   PATCH /api/v1/namespaces/default/pods/web/resize?fieldManager=x  ->  PATCH pods/resize
 *   POST /apis/apps/v1/namespaces/default/replicasets                ->  POST replicasets
 *   GET /version                                                     ->  GET version
 */
export function kindOf(method: string, path: string): string {
  const [plain = ''] = path.split('?', 1)
  const [first, ...parts] = plain.split('/').filter((part) => part !== '')
  const depth = first === 'api' ? 1 : first === 'apis' ? 2 : undefined
  if (depth === undefined) return `${method} ${first ?? ''}`
  const rest = parts.slice(depth)
  const isWithin = rest[0] === 'namespaces' && rest.length > 2
  const [resource = '', , subresource] = isWithin ? rest.slice(2) : rest
  return `${method} ${subresource === undefined ? resource : `${resource}/${subresource}`}`
}
