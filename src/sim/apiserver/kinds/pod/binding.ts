/** `pods/binding`: what a scheduler says when it has chosen a node. */
import { pods } from '../../../resources.ts'
import { isJsonObject } from '../../object.ts'
import { badRequest, conflict, type FieldError, Refusal, textOf } from '../../refusal.ts'
import type { ActionRequest } from '../../resource-type.ts'
import { required, unsupported } from '../validate/field-errors.ts'
import { withCondition } from './conditions.ts'
import { asPod, type Pod } from './types.ts'

type Binding = {
  readonly metadata?: {
    readonly name?: string
    readonly uid?: string
    readonly resourceVersion?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly target?: { readonly kind?: string; readonly name?: string }
}

export function bindPod({ object, body, at, put }: ActionRequest): void {
  const { metadata = {}, target = {} } = body as Binding
  const pod = asPod(object)
  const { name } = pod.metadata
  if (metadata.name !== name) throw badRequest('name in URL does not match name in Binding object')
  checkTarget(target)
  checkConditions(metadata, pod)
  const why = whyNot(pod)
  if (why !== undefined) throw conflict({ group: '', plural: 'pods/binding' }, name, why)
  const { nominatedNodeName: _, ...status } = pod.status ?? {}
  put(pods, {
    ...pod,
    metadata: {
      ...pod.metadata,
      ...merged('labels', pod, metadata.labels),
      ...merged('annotations', pod, metadata.annotations),
    },
    spec: { ...pod.spec, nodeName: target.name ?? '' },
    status: withCondition(status, { type: 'PodScheduled', status: 'True' }, at.now),
  })
}

const merged = (
  field: 'labels' | 'annotations',
  { metadata }: Pod,
  more: Readonly<Record<string, string>> | undefined,
) => (isJsonObject(more) ? { [field]: { ...metadata[field], ...more } } : {})

/** The real server forgets to make a proper answer of these. */
function checkTarget({ kind = '', name = '' }: NonNullable<Binding['target']>): void {
  const errors: FieldError[] = [
    ...(kind === '' || kind === 'Node'
      ? []
      : [unsupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(name === '' ? [required('target.name')] : []),
  ]
  if (errors.length === 0) return
  const texts = errors.map((error) => `${error.field}: ${textOf(error)}`)
  const message = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`
  throw new Refusal({ code: 500, reason: '', message })
}

function checkConditions(
  { uid, resourceVersion }: NonNullable<Binding['metadata']>,
  pod: Pod,
): void {
  const { metadata } = pod
  const named = [
    { said: 'UID', wanted: uid, is: metadata.uid },
    { said: 'ResourceVersion', wanted: resourceVersion, is: metadata.resourceVersion },
  ]
  for (const { said, wanted, is } of named) {
    if (!wanted || wanted === is) continue
    const key = `/registry/pods/${metadata.namespace}/${metadata.name}`
    const text = `Precondition failed: ${said} in precondition: ${wanted}, ${said} in object meta: ${is}`
    throw conflict(
      pods,
      metadata.name,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${text}`,
    )
  }
}

function whyNot({ metadata, spec }: Pod): string | undefined {
  const { name, deletionTimestamp } = metadata
  if (deletionTimestamp !== undefined)
    return `pod ${name} is being deleted, cannot be assigned to a host`
  if (spec.nodeName)
    return `pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`
  return (spec.schedulingGates ?? []).length > 0
    ? `pod ${name} has non-empty .spec.schedulingGates`
    : undefined
}
