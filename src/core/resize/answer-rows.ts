/**
 * What the API server answers to a resize that it refuses: the texts of Kubernetes (1.33 to 1.36) as
 * facts, and our words for the operator. The first row that fits counts.
 */
import type { ResizeReason } from './types.ts'

export type AnswerRow = {
  readonly code: number
  /** In its words or in those of a cause; without one, whatever it says. */
  readonly text?: RegExp
  /** The type of a cause, which is surer than the text. */
  readonly cause?: string
  readonly reason: ResizeReason
  readonly words: string
  /** never-same, and remembered, unless it says otherwise. */
  readonly retry?: 'later' | 'conflict'
}

export const answerRows: readonly AnswerRow[] = [
  {
    code: 403,
    cause: 'NodeCapacity',
    text: /node didn't have enough allocatable resources/,
    reason: 'NodeCapacity',
    words: 'the pod would ask for more than its whole node has',
  },
  {
    code: 403,
    cause: 'UnsupportedPlatform',
    text: /pod resize is only supported on linux nodes/,
    reason: 'Unsupported',
    words: 'only pods on Linux nodes can be resized',
  },
  {
    code: 403,
    text: /requires features .* not available on node/,
    reason: 'Unsupported',
    words: 'the kubelet of the node is too old for it',
  },
  {
    code: 403,
    text: /exceeded quota: |failed quota: |insufficient quota to /,
    reason: 'ResourceQuota',
    words: 'a ResourceQuota of the namespace does not allow it',
  },
  {
    code: 403,
    text: /status unknown for quota: |quota usage is negative/,
    reason: 'ResourceQuota',
    words: 'a ResourceQuota of the namespace has not been counted yet',
    retry: 'later',
  },
  {
    code: 403,
    text: /(?:minimum|maximum) \S+ usage per \w+ is |max limit to request ratio per /,
    reason: 'LimitRange',
    words: 'a LimitRange of the namespace does not allow it',
  },
  {
    code: 403,
    text: /error enforcing limit ranges/,
    reason: 'LimitRange',
    words: 'the LimitRanges of the namespace could not be read',
    retry: 'later',
  },
  {
    code: 403,
    text: /User "[^"]*" cannot \w+ resource/,
    reason: 'Forbidden',
    words: 'the controller lacks the right to resize pods; kubectl apply -f deploy/rbac',
    retry: 'later',
  },
  {
    code: 403,
    text: /not yet ready to handle request|node "[^"]*" not found|failed to get node/,
    reason: 'Forbidden',
    words: 'the API server cannot judge it yet',
    retry: 'later',
  },
  {
    code: 403,
    text: /denied (?:the )?request/,
    reason: 'Forbidden',
    words: 'an admission policy or webhook of this cluster does not allow it',
  },
  { code: 403, reason: 'Forbidden', words: 'the API server does not allow it' },
  {
    code: 404,
    text: /could not find the requested resource/,
    reason: 'ServerTooOld',
    words: 'the API server does not know pods/resize, which is there from Kubernetes 1.33 on',
    retry: 'later',
  },
  { code: 404, reason: 'PodNotFound', words: 'the pod is gone', retry: 'conflict' },
  {
    code: 409,
    text: /UID in precondition|the UID in the precondition/,
    reason: 'OtherPod',
    words: 'the pod of this name is another one by now',
    retry: 'conflict',
  },
  {
    code: 409,

    reason: 'Resizing',
    words: 'the pod, or the quota that it counts for, was changed meanwhile',
    retry: 'conflict',
  },
  {
    code: 422,
    text: /Pod QOS Class may not change as a result of resizing/,
    reason: 'QoSClassChange',
    words: 'the QoS class would change',
  },
  {
    code: 422,
    text: /pod-level resource|mutable at pod-level|aggregate container (?:requests|limits) of|equal to pod limits of/,
    reason: 'PodLevelResources',
    words: 'the pod sets resources for all its containers together',
  },
  {
    code: 422,
    text: /(?:static|windows) pods cannot be resized/,
    reason: 'Unsupported',
    words: 'pods that a kubelet reads from a file, and Windows pods, cannot be resized',
  },
  {
    code: 422,
    text: /Pod running on node without support for resize/,
    reason: 'Unsupported',
    words: 'the kubelet of the node does not resize pods; it does from Kubernetes 1.33 on',
  },
  {
    code: 422,
    text: /pods with node allocatable resource claims cannot be resized/,
    reason: 'Unsupported',
    words: 'a pod with a ResourceClaim on CPU or memory cannot be resized',
  },
  {
    code: 422,
    text: /non-sidecar init containers/,
    reason: 'Unsupported',
    words: 'an init container that is no sidecar cannot be resized',
  },
  {
    code: 422,
    text: /may not be (?:added or removed|renamed or reordered) on resize/,
    reason: 'UnknownContainer',
    words: 'a container is named that the pod does not have',
  },
  {
    code: 422,
    text: /resource (?:requests|limits) cannot be removed/,
    reason: 'Invalid',
    words: 'a request or limit that is set cannot be taken away',
  },
  {
    code: 422,
    text: /only cpu and memory resources (?:for .+ )?are mutable/,
    reason: 'Invalid',
    words: 'more than CPU and memory would change',
  },
  {
    code: 422,
    text: /must be less than or equal to cpu limit of/,
    reason: 'Invalid',
    words: 'a request would be above its limit',
  },
  {
    code: 422,
    text: /denied (?:the )?request/,
    reason: 'Forbidden',
    words: 'an admission policy or webhook of this cluster does not allow it',
  },
  { code: 422, reason: 'Invalid', words: 'the API server finds it invalid' },
  { code: 400, reason: 'Invalid', words: 'the API server cannot read it' },
  {
    code: 429,

    reason: 'Resizing',
    words: 'the API server has too much to do',
    retry: 'later',
  },
]
