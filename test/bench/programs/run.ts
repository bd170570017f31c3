/** One run: an arm in a scene, with real processes in real groups, all gone when it is done. */
import type { Arm, Running } from './arm.ts'
import { driveBatch } from './drive-batch.ts'
import { figuresOf, type RunFigures } from './figures.ts'
import { makeGroup } from './make-group.ts'
import { meterMachine } from './meter.ts'
import type { Instance } from './program.ts'
import { batchRequest, type Lengths, type Scene } from './scene.ts'
import type { Stage } from './stage.ts'

export type RunOrder = {
  readonly scene: Scene
  readonly arm: Arm
  readonly lengths: Lengths
  /** Of the load: the same for all arms of a repeat. */
  readonly seed: number
  /** Of a request, by program. */
  readonly sizes: ReadonlyMap<string, number>
  readonly stage: Stage
  readonly signal: AbortSignal
}

/** From the moment that is agreed on to the first request. */
const leadMillis = 200

export async function runOnce(order: RunOrder): Promise<RunFigures> {
  const { scene, arm, stage } = order
  const instances: Instance[] = []
  let running: Running | undefined
  const broken = new AbortController()
  const signal = AbortSignal.any([order.signal, broken.signal, patienceOf(order.lengths)])
  try {
    const services = await Promise.all(
      scene.services.map(async (service) => ({ ...service, home: await stage.homeOf(service) })),
    )
    const groups = services.map(({ home, request }) => ({
      path: home.group,
      request,
      isBatch: false,
    }))
    const batch = { path: stage.batchGroup, request: batchRequest(scene), isBatch: true }
    stage.makeTree()
    const isNewLater = scene.batchStarts === 'late, in a new group'
    for (const group of isNewLater ? groups : [...groups, batch]) makeGroup(arm, group)
    for (const { program, home } of services) {
      instances.push(await program.start(home, order.sizes.get(program.name) ?? program.firstSize))
    }
    const loads = await Promise.all(
      services.map(async ({ shape }, i) => {
        const seconds = order.lengths.warmSeconds + order.lengths.seconds
        return instances[i]?.prepareLoad({ shape, seconds, seed: order.seed * 10 + i })
      }),
    )
    running = await arm.start?.([...groups, batch], stage.agentGroup)
    signal.throwIfAborted()
    const startMillis = Date.now() + leadMillis
    const within = { ...order, signal, startMillis, batch }
    const parts = [
      Promise.all(loads.map(async (load) => (await load?.(startMillis)) ?? [])),
      driveBatch(within),
      meterMachine({ ...within, groups: groups.map(({ path }) => path) }),
    ] as const
    await settleAll(parts, { signal, giveUp: (error) => giveUp(broken, stage, error) })
    const [served, batchCores, metered] = await Promise.all(parts)
    return figuresOf({ ...order, served, batchCores, metered })
  } finally {
    await running?.stop().catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    for (const instance of instances) await instance.stop()
    await stage.endTree()
  }
}

/** A run that takes so long will not end: static limits serve a load of two thirds in time. */
const patienceOf = ({ warmSeconds, seconds }: Lengths): AbortSignal =>
  AbortSignal.timeout(60_000 + 5000 * (warmSeconds + seconds))

async function giveUp(broken: AbortController, stage: Stage, error: unknown): Promise<void> {
  broken.abort(error)
  await stage.endTree() // so that nobody waits for an answer
}

type Ending = { readonly signal: AbortSignal; readonly giveUp: (error: unknown) => Promise<void> }

/** When one part fails or the run is stopped, the others end too, and only then this. */
async function settleAll(
  parts: readonly Promise<unknown>[],
  { signal, giveUp }: Ending,
): Promise<void> {
  const stop = () => void giveUp(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  for (const part of parts) part.catch(giveUp)
  await Promise.allSettled(parts)
  signal.removeEventListener('abort', stop)
  signal.throwIfAborted()
}
