/** What every long-running process of ours does: probes and metrics over HTTP, and an orderly end. */
import { InvalidInput } from '../core/errors.ts'
import type { Clock } from '../ports/clock.ts'
import { ApiError, ConnectionFailed } from '../ports/kube.ts'
import type { Log } from '../ports/log.ts'
import { type Probes, probeRoutes } from './http-server-probes.ts'
import { type HttpRoutes, serveHttp } from './http-server.ts'
import { parseListen } from './listen.ts'
import { isTaken, serveWhenFree } from './serve-when-free.ts'
import { prepareShutdown, type Shutdown } from './shutdown.ts'

export type ServiceOptions = {
  /** As in the message `the agent could not start`. */
  readonly name: string
  /** Address of /healthz, /readyz and /metrics. */
  readonly listen: string
  readonly clock: Clock
  readonly log: Log
  /** Its work goes on while another process has the port; it is served once it is free. */
  readonly worksUnserved?: boolean
  /** Registers with the shutdown what is to be stopped, and tells how the probes look. */
  readonly start: (shutdown: Shutdown) => Promise<Served>
}

export type Served = Probes & {
  /** What it serves besides probes and metrics. */
  readonly routes?: HttpRoutes
  readonly onServing?: (port: number) => void
}

/** Below the 30 s that Kubernetes gives a pod to end. */
const grace = 20_000

/** Runs until a signal ends it; the exit code. What cannot start throws, as bad input if it is that. */
export async function runService(options: ServiceOptions): Promise<number> {
  const { name, clock, log } = options
  const address = parseListen(options.listen)
  const shutdown = prepareShutdown({ clock, log, grace, process })
  try {
    const served = await options.start(shutdown)
    const routes = { ...probeRoutes(served), ...served.routes }
    const serve = async (): Promise<void> => {
      const server = await serveHttp({ ...address, routes, log })
      served.onServing?.(server.port)
      shutdown.onStop('http', server.close)
      log('info', 'serving', { url: server.url })
    }
    await serve().catch((error: unknown) => {
      if (options.worksUnserved !== true || !isTaken(error)) {
        throw new InvalidInput(`--listen: ${(error as Error).message}`, { cause: error })
      }
      const { signal } = shutdown
      serveWhenFree({ serve, clock, log, signal }).catch((reason: unknown) =>
        log('error', 'serving HTTP failed', { error: reason }),
      )
    })
  } catch (error) {
    if (!shutdown.signal.aborted) {
      shutdown.begin(`the ${name} could not start`, 2)
      await shutdown.finished
      throw asInput(error)
    }
  }
  return shutdown.finished
}

/** What the API refuses at the start is for the operator to mend. */
export const asInput = (error: unknown): unknown =>
  error instanceof ApiError || error instanceof ConnectionFailed
    ? new InvalidInput(error.message, { cause: error })
    : error
