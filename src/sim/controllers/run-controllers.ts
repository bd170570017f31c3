/** Every controller of the embedded cluster: what kube-controller-manager does in a real one. */
import type { Agenda } from '../agenda.ts'
import type { Api } from '../apiserver/api.ts'
import { createRecorder } from '../record-event.ts'
import { pods, replicaSets } from '../resources.ts'
import { watchChildren } from './children.ts'
import { runDaemonSets } from './daemon-set.ts'
import { runDeployments } from './deployment.ts'
import { runDisruptionBudgets } from './disruption.ts'
import { runExpiry } from './expiry.ts'
import { runGarbageCollector } from './garbage-collector.ts'
import { runJobs } from './job.ts'
import { runNamespaces } from './namespace.ts'
import { runQuotas } from './quota.ts'
import type { ReplicaSet } from './replica-set-object.ts'
import { runReplicaSets } from './replica-set.ts'
import type { PodObject } from './workload.ts'

export function runControllers(at: {
  readonly api: Api
  readonly agenda: Agenda
  /** The server's certificate. */
  readonly authority: string
}): void {
  const { api, agenda } = at
  const podsOf = watchChildren<PodObject>(api, pods)
  const setsOf = watchChildren<ReplicaSet>(api, replicaSets)
  const as = (component: string) => ({
    api,
    agenda,
    podsOf,
    setsOf,
    record: createRecorder({ api, agenda, component }),
  })
  runNamespaces(at)
  runGarbageCollector(as('garbage-collector-controller'))
  runExpiry(at)
  runQuotas(at)
  runDisruptionBudgets(as('controllermanager'))
  runReplicaSets(as('replicaset-controller'))
  runDeployments(as('deployment-controller'))
  runDaemonSets(as('daemonset-controller'))
  runJobs(as('job-controller'))
}
