/** Pods: all that is special about them. */
import type { Strategy } from '../../resource-type.ts'
import type { KindRules } from '../kind-rules.ts'
import { bindPod } from './binding.ts'
import { podColumns } from './columns.ts'
import { defaultPod } from './defaults.ts'
import { evictPod } from './eviction.ts'
import { prepareCreate, prepareUpdate } from './prepare.ts'
import { asPod, type Pod } from './types.ts'
import { checkResize } from './validate-resize.ts'
import { checkNewPod } from './validate-spec.ts'
import { checkStatus, checkUpdate } from './validate-update.ts'
import { warnOfName, warnOfSpec } from './warnings.ts'

const strategy: Strategy = {
  setDefaults: (object) => defaultPod(asPod(object)),
  prepareCreate: (object, at) => prepareCreate(asPod(object), at),
  prepareUpdate: (next, old, at) => prepareUpdate(asPod(next), asPod(old), at),
  validateCreate: (object) => checkNewPod(asPod(object)),
  warnOnCreate: (object) => [
    ...warnOfName(object.metadata.name, "the Pod's hostname"),
    ...warnOfSpec(asPod(object).spec, 'spec'),
  ],
  validateUpdate: (next, old, { subresource }) => {
    if (subresource === 'resize') return checkResize(asPod(next), asPod(old))
    return (subresource === 'status' ? checkStatus : checkUpdate)(asPod(next), asPod(old))
  },
  graceSeconds: (object, asked) => graceSeconds(asPod(object), asked),
  createOnUpdate: false,
}

function graceSeconds({ spec, status }: Pod, asked: number | undefined): number {
  // No kubelet is there to confirm, or it has nothing left to stop.
  if (!spec.nodeName || status?.phase === 'Succeeded' || status?.phase === 'Failed') return 0
  const seconds = asked ?? spec.terminationGracePeriodSeconds ?? 0
  return seconds < 0 ? 1 : seconds
}

export const podRules = {
  strategy,
  columns: podColumns,
  selectableFields: {
    'spec.nodeName': (object) => asPod(object).spec.nodeName ?? '',
    'spec.restartPolicy': (object) => asPod(object).spec.restartPolicy ?? '',
    'spec.schedulerName': (object) => asPod(object).spec.schedulerName ?? '',
    'spec.serviceAccountName': (object) => asPod(object).spec.serviceAccountName ?? '',
    'spec.hostNetwork': (object) => String(asPod(object).spec.hostNetwork ?? false),
    'status.phase': (object) => asPod(object).status?.phase ?? '',
    'status.podIP': (object) => {
      const { podIPs, podIP = '' } = asPod(object).status ?? {}
      return podIPs?.[0]?.ip ?? podIP
    },
    'status.nominatedNodeName': (object) => asPod(object).status?.nominatedNodeName ?? '',
  },
  hasGeneration: true,
  actions: { binding: bindPod, eviction: evictPod },
} satisfies KindRules
