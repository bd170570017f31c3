import { createKube } from '../../src/adapters/kube/client.ts'
import { loadConfig } from '../../src/adapters/kube/load-config.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { type Embedded, startEmbedded } from '../embedded.ts'
import { furnish } from './furnish.ts'
import { install } from './install.ts'

/** `mbcas cluster` in a process of its own, with something for the command line to tell of. */
export async function startFurnished(): Promise<Embedded> {
  const cluster = await startEmbedded()
  const kube = createKube(await loadConfig({ kubeconfig: cluster.kubeconfig }))
  try {
    await install(kube)
    await furnish(kube, systemClock.wall())
    return cluster
  } finally {
    kube.close()
  }
}
