/** `mbcas controller`: joins the controller with the API, the lease and the signals. */
import { parseDocument } from '../../adapters/document.ts'
import { createKube } from '../../adapters/kube/client.ts'
import { loadConfig } from '../../adapters/kube/load-config.ts'
import { systemClock as clock } from '../../adapters/system-clock.ts'
import { readFileText } from '../../adapters/text-file.ts'
import { type ControllerConfig, readControllerConfig } from '../../apis/controller-config.ts'
import { leases } from '../../apis/lease.ts'
import { fieldManagers } from '../../apis/names.ts'
import { podAllocations } from '../../apis/pod-allocation.ts'
import { InvalidInput } from '../../core/errors.ts'
import { isReason, type Kube } from '../../ports/kube.ts'
import type { LogLevel } from '../../ports/log.ts'
import { eventRecorder } from '../../runtime/events.ts'
import { jsonLog } from '../../runtime/json-log.ts'
import { type LeasePlace, processIdentity, runAsLeader } from '../../runtime/leader.ts'
import { registry } from '../../runtime/metrics.ts'
import { runService } from '../../runtime/service.ts'
import { budgetOf } from './budget.ts'
import { runController } from './controller.ts'
import { learnServer } from './server.ts'

export type ControllerFlags = {
  readonly kubeconfig?: string
  /** A file; without it the defaults hold. */
  readonly config?: string
  /** Where the lease is; the namespace must exist. */
  readonly leaseNamespace: string
  readonly listen: string
  readonly logLevel: LogLevel
}

/** Runs until a signal ends it, or the lease is lost; the exit code. */
export async function runControllerProcess(flags: ControllerFlags): Promise<number> {
  const config = configIn(flags.config)
  const write = (line: string): void => void process.stderr.write(line)
  const log = jsonLog({ write, clock, level: flags.logLevel })
  const kube = createKube(await loadConfig({ kubeconfig: flags.kubeconfig }), {
    clock,
    ...budgetOf(config),
  })
  return runService({
    name: 'controller',
    listen: flags.listen,
    clock,
    log,
    start: async (shutdown) => {
      const { signal } = shutdown
      shutdown.onStop('api', kube.close)
      await learnServer(kube, signal) // refuses what is no Kubernetes
      await kube.list(podAllocations, { limit: 1 }, { signal })
      const lease = { namespace: flags.leaseNamespace, name: fieldManagers.controller }
      await checkLease(kube, lease, signal)
      const metrics = registry()
      const shared = { kube, clock, log, random: Math.random }
      const events = eventRecorder({ ...shared, component: fieldManagers.controller })
      shutdown.onStop('events', events.flush)
      let state = 'waiting for the lease'
      const leading = runAsLeader({
        ...shared,
        lease,
        identity: processIdentity(),
        signal,
        lead: async (lead) => {
          state = 'reading the cluster'
          const onReady = () => (state = 'leading')
          const { record } = events
          await runController({ ...shared, config, metrics, record, signal: lead, onReady })
        },
      }).catch((error: unknown) => {
        log('error', 'leading ended', { error })
        shutdown.begin('the lease was lost', 1)
      })
      shutdown.onStop('controller', async () => leading)
      // One that waits for the lease is ready: it takes over when the leader is gone.
      const ok = { ok: true } as const
      return {
        live: { process: () => ok },
        ready: {
          controller: () =>
            state === 'reading the cluster' ? ({ ok: false, reason: state } as const) : ok,
        },
        metrics,
      }
    },
  })
}

const configIn = (file: string | undefined): ControllerConfig =>
  file === undefined
    ? readControllerConfig({}, 'the defaults')
    : readControllerConfig(parseDocument(readFileText(file), file), file)

/** Without it a controller would wait for its lease for ever, and look well. */
async function checkLease(kube: Kube, place: LeasePlace, signal: AbortSignal): Promise<void> {
  try {
    await kube.create(leases, { metadata: place, spec: {} }, { dryRun: true, signal })
  } catch (error) {
    if (isReason(error, 'AlreadyExists')) return
    if (!isReason(error, 'NotFound')) throw error
    const { namespace } = place
    throw new InvalidInput(
      `making the lease ${namespace}/${place.name}: there is no namespace ${namespace}; ` +
        `kubectl create namespace ${namespace}, or name another with --lease-namespace`,
      { cause: error },
    )
  }
}
