import { createKube } from '../../src/adapters/kube/client.ts'
import { loadConfig } from '../../src/adapters/kube/load-config.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { pods } from '../../src/apis/pod.ts'
import type { Kube } from '../../src/ports/kube.ts'
import { type Embedded, startEmbedded } from '../embedded.ts'
import { until } from '../until.ts'
import { furnish } from './furnish.ts'
import { install } from './install.ts'

/** `mbcas cluster` in a process of its own, with something for the command line to tell of. */
export async function startFurnished(): Promise<Embedded> {
  const cluster = await startEmbedded()
  const kube = createKube(await loadConfig({ kubeconfig: cluster.kubeconfig }))
  try {
    await install(kube)
    await furnish(kube, systemClock.wall())
    await untilAllRun(kube)
    return cluster
  } finally {
    kube.close()
  }
}

async function untilAllRun(kube: Kube): Promise<void> {
  let waiting: (string | undefined)[] = []
  const allRun = async (): Promise<boolean> => {
    const { items } = await kube.list(pods)
    waiting = items
      .filter(({ status }) => status?.phase !== 'Running')
      .map(({ metadata }) => metadata.name)
    return waiting.length === 0
  }
  await until('all pods to run', allRun, () => waiting)
}
