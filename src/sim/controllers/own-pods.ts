/** Pods that a controller makes and takes away, with the events that tell of it. */
import type { Api } from '../apiserver/api.ts'
import { type ApiObject, placeOf } from '../apiserver/object.ts'
import { Refusal } from '../apiserver/refusal.ts'
import type { RecordEvent } from '../record-event.ts'
import { pods } from '../resources.ts'
import { manager, type PodObject } from './workload.ts'

type By = { readonly api: Api; readonly record: RecordEvent }

export function createPod(
  { api, record }: By,
  { owner, pod }: { readonly owner: ApiObject; readonly pod: unknown },
): void {
  try {
    const { metadata } = api.create(pods, pod, { manager })
    record({ about: owner, reason: 'SuccessfulCreate', message: `Created pod: ${metadata.name}` })
  } catch (error) {
    if (error instanceof Refusal) {
      const message = `Error creating: ${error.message}`
      record({ about: owner, type: 'Warning', reason: 'FailedCreate', message })
    }
    throw error
  }
}

export function removePod(
  { api, record }: By,
  { owner, pod }: { readonly owner: ApiObject; readonly pod: PodObject },
): void {
  api.remove(pods, placeOf(pod))
  record({ about: owner, reason: 'SuccessfulDelete', message: `Deleted pod: ${pod.metadata.name}` })
}
