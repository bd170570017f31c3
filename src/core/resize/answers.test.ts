import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { type Answer, readRefusal } from './answers.ts'

/** As Kubernetes 1.36 puts its texts together. */
const forbidden = (said: string, cause?: string): Answer => ({
  code: 403,
  said: `pods "web" is forbidden: ${said}`,
  causes: cause === undefined ? [] : [{ reason: cause, message: '' }],
})
const invalid = (message: string): Answer => ({
  code: 422,
  said: `Pod "web" is invalid: ${message}`,
  causes: [{ reason: 'FieldValueForbidden', message }],
})
const other = (code: number, said: string): Answer => ({ code, said, causes: [] })

const rows: readonly (readonly [string, Answer])[] = [
  [
    'NodeCapacity never-same',
    forbidden(
      "node didn't have enough allocatable resources: cpu, requested: 9000, allocatable: 2000",
    ),
  ],
  ['NodeCapacity never-same', forbidden('in other words', 'NodeCapacity')],
  [
    'Unsupported never-same',
    forbidden('pod resize is only supported on linux nodes, node "n1" is "windows"'),
  ],
  ['Unsupported never-same', forbidden('in other words', 'UnsupportedPlatform')],
  [
    'Unsupported never-same',
    forbidden('pod update requires features X which are not available on node "n1"'),
  ],
  [
    'ResourceQuota never-same',
    forbidden(
      'exceeded quota: team, requested: limits.cpu=500m, used: limits.cpu=1900m, limited: limits.cpu=2',
    ),
  ],
  ['ResourceQuota never-same', forbidden('failed quota: team: must specify limits.cpu for: app')],
  ['ResourceQuota never-same', forbidden('insufficient quota to consume: requests.cpu')],
  ['ResourceQuota later', forbidden('status unknown for quota: team, resources: limits.cpu')],
  ['ResourceQuota later', forbidden('quota usage is negative for resource(s): requests.cpu')],
  ['LimitRange never-same', forbidden('maximum cpu usage per Container is 1, but limit is 2')],
  [
    'LimitRange never-same',
    forbidden('maximum cpu usage per Container is 1.  No limit is specified'),
  ],
  ['LimitRange never-same', forbidden('minimum cpu usage per Pod is 100m, but request is 50m')],
  [
    'LimitRange never-same',
    forbidden(
      '[minimum cpu usage per Container is 100m, but request is 50m, ' +
        'minimum memory usage per Container is 1Gi, but request is 1Mi]',
    ),
  ],
  [
    'LimitRange never-same',
    forbidden('cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000'),
  ],
  [
    'LimitRange never-same',
    forbidden(
      'cpu max limit to request ratio per Pod is 2, but no request is specified or request is 0',
    ),
  ],
  [
    'LimitRange later',
    forbidden(
      'unable to UPDATE pods at this time because there was an error enforcing limit ranges',
    ),
  ],
  [
    'Forbidden later',
    forbidden(
      'User "system:serviceaccount:mbcas-system:mbcas-controller" cannot patch resource "pods/resize" in API group "" in the namespace "default"',
    ),
  ],
  ['Forbidden later', forbidden('not yet ready to handle request')],
  ['Forbidden later', forbidden('node "n1" not found')],
  [
    'Forbidden never-same',
    forbidden("ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no"),
  ],
  ['Forbidden never-same', other(403, 'admission webhook "w.example.com" denied the request: no')],
  ['Forbidden never-same', forbidden('something that nobody has heard yet')],
  ['ServerTooOld later', other(404, 'the server could not find the requested resource')],
  ['PodNotFound conflict', other(404, 'pods "web" not found')],
  [
    'OtherPod conflict',
    other(
      409,
      'Operation cannot be fulfilled on pods "web": StorageError: invalid object, Code: 4, Key: /registry/pods/default/web, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: a, UID in object meta: b',
    ),
  ],
  [
    'Resizing conflict',
    other(
      409,
      'Operation cannot be fulfilled on pods "web": the object has been modified; please apply your changes to the latest version and try again',
    ),
  ],
  [
    'QoSClassChange never-same',
    invalid('spec: Invalid value: "": Pod QOS Class may not change as a result of resizing'),
  ],
  ['Unsupported never-same', invalid('[]: Forbidden: static pods cannot be resized')],
  ['Unsupported never-same', invalid('[]: Forbidden: windows pods cannot be resized')],
  [
    'Unsupported never-same',
    invalid('spec: Forbidden: Pod running on node without support for resize'),
  ],
  [
    'Unsupported never-same',
    invalid('spec: Forbidden: pods with node allocatable resource claims cannot be resized'),
  ],
  [
    'Unsupported never-same',
    invalid(
      'spec.initContainers[0]: Forbidden: non-sidecar init containers with a resize policy of RestartContainer cannot be resized',
    ),
  ],
  [
    'Unsupported never-same',
    invalid('spec: Forbidden: resources for non-sidecar init containers are immutable'),
  ],
  [
    'PodLevelResources never-same',
    invalid('[]: Forbidden: pods with pod-level resources cannot be resized'),
  ],
  [
    'PodLevelResources never-same',
    invalid(
      '[]: Forbidden: resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled',
    ),
  ],
  [
    'PodLevelResources never-same',
    invalid('spec.resources: Forbidden: pod-level resources cannot be removed'),
  ],
  [
    'PodLevelResources never-same',
    invalid('spec: Forbidden: only cpu and memory resources are mutable at pod-level'),
  ],
  [
    'PodLevelResources never-same',
    invalid(
      'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
    ),
  ],
  [
    'PodLevelResources never-same',
    invalid(
      'spec.containers[0].resources.limits[cpu]: Invalid value: "3": must be less than or equal to pod limits of 2',
    ),
  ],
  [
    'UnknownContainer never-same',
    invalid('spec.containers: Forbidden: containers may not be added or removed on resize'),
  ],
  [
    'UnknownContainer never-same',
    invalid(
      'spec.initContainers[0].name: Forbidden: initContainers may not be renamed or reordered on resize',
    ),
  ],
  [
    'Invalid never-same',
    invalid('spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed'),
  ],
  ['Invalid never-same', invalid('spec: Forbidden: only cpu and memory resources are mutable')],
  [
    'Invalid never-same',
    invalid(
      'spec.initContainers[0]: Forbidden: only cpu and memory resources for init or sidecar containers are mutable',
    ),
  ],
  [
    'Invalid never-same',
    invalid(
      'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    ),
  ],
  ['Invalid never-same', invalid('something that nobody has heard yet')],
  ['Forbidden never-same', other(422, "ValidatingAdmissionPolicy 'p' denied request: no")],
  ['Invalid never-same', other(400, 'unable to decode')],
  ['Resizing later', other(429, 'Too many requests, please try again later.')],
  ['Resizing later', other(500, 'etcdserver: request timed out')],
]

void describe('core/resize/answers', () => {
  each(
    rows.map(([gives, answer]) => ({
      name: `${answer.code} ${answer.said.slice(0, 100)} (${gives})`,
      answer,
      gives,
    })),
    ({ answer, gives }) => {
      const { reason, retry, remember, message } = readRefusal(answer)
      assert.equal(`${reason} ${retry}`, gives)
      assert.equal(remember, retry === 'never-same')
      assert.ok(message.endsWith(`; it said: ${answer.said}`))
    },
  )

  void test('a cause tells what the words leave out', () => {
    const message = 'Pod QOS Class may not change as a result of resizing'
    const causes = [{ reason: 'FieldValueInvalid', message }]
    const { reason } = readRefusal({ code: 422, said: 'Pod "web" is invalid', causes })
    assert.equal(reason, 'QoSClassChange')
  })
})
