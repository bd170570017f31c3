/** The reflector against a real API server behind a bad network: nothing lost, nothing out of order. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { createKube, type KubeClient } from '../../src/adapters/kube/client.ts'
import type { KubeConfig, TextSource } from '../../src/adapters/kube/config.ts'
import { loadConfig } from '../../src/adapters/kube/load-config.ts'
import { readOnce } from '../../src/adapters/kube/rotating-text.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import type { KubeObject, Resource } from '../../src/apis/object.ts'
import { millis } from '../../src/core/units.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { createFaults, type Faults } from '../chaos/faults.ts'
import { type Proxy, startProxy, type Upstream } from '../chaos/proxy.ts'
import { runChaos } from '../chaos/run.ts'
import { configMap, configMaps } from '../chaos/watching.ts'
import { type Cluster, startCluster } from '../kubernetes/cluster.ts'
import { realCluster, skipUnless } from '../real.ts'

const operations = 20_000
const seeds = [1, 2, 3]
const label = 'mbcas.io/chaos'

const namespaceResource: Resource<KubeObject> = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
}

/** Twenty times as fast, so that the informer's pauses of seconds leave time for many faults. */
const speed = 20
const quickClock: Clock = {
  ...systemClock,
  now: () => millis(Math.floor(performance.now() * speed)),
  sleep: async (duration, signal) => systemClock.sleep(duration / speed, signal),
}

const unlimited = { read: 'unlimited', write: 'unlimited' } as const
const textOf = (source: TextSource | undefined): string | undefined =>
  source === undefined ? undefined : readOnce(source)

/** The proxy stands between, so it has the client's certificate. */
function upstreamOf({ server, ca, serverName, user: { certificate: pair } }: KubeConfig): Upstream {
  const trust = { ca: textOf(ca), serverName }
  const client = { certificate: textOf(pair?.certificate), key: textOf(pair?.key) }
  const known = Object.entries({ ...trust, ...client }).filter(([, value]) => value !== undefined)
  return { url: server, ...Object.fromEntries(known) }
}

function clientThrough(proxy: Proxy, config: KubeConfig): KubeClient {
  const ca: TextSource = { text: proxy.ca ?? '', name: 'the chaos proxy' }
  const through = { ...config, server: proxy.url, ca, serverName: undefined }
  return createKube(through, { timeoutMillis: 1000, retries: { attempts: 2 }, limits: unlimited })
}

void describe('reflector against a real server', { skip: skipUnless(...realCluster) }, () => {
  let cluster: Cluster | undefined
  let direct: KubeClient | undefined
  let config: KubeConfig | undefined

  before(async () => {
    cluster = await startCluster()
    config = await loadConfig({ kubeconfig: cluster.kubeconfig })
    direct = createKube(config, { limits: unlimited, maxSockets: 16 })
  })
  after(async () => {
    direct?.close()
    await cluster?.stop()
  })

  const chaos = async (seed: number, faults: Faults) => {
    assert.ok(direct !== undefined && config !== undefined)
    const namespaces = ['red', 'green', 'blue'].map((color) => `chaos-${seed}-${color}`)
    for (const name of namespaces) await direct.create(namespaceResource, { metadata: { name } })
    const proxy = await startProxy({ upstream: upstreamOf(config), faults })
    const through = clientThrough(proxy, config)
    try {
      return await runChaos({
        kubeDirect: direct,
        kubeThroughProxy: through,
        resource: configMaps,
        make: ({ namespace, name, value }) => {
          const { metadata, data } = configMap(name, value, namespace)
          return {
            metadata: { ...metadata, labels: { [label]: String(seed) } },
            ...(data && { data }),
          }
        },
        operations,
        seed,
        namespaces,
        // Writes never pause, so that a second of silence is a stall.
        informer: {
          selection: { labelSelector: `${label}=${seed}` },
          idleTimeoutMs: speed * 1000,
        },
        clock: quickClock,
        wait: quickClock.sleep,
        settle: faults.settle,
      })
    } finally {
      through.close()
      await proxy.close()
    }
  }

  for (const seed of seeds) {
    void test(`seed ${seed}: ${operations} operations`, async (t) => {
      const faults = createFaults({ seed, requestRatio: 0.2, streamRatio: 0.8 })
      const start = performance.now()
      const { violations, differences, objects, changes, counts } = await chaos(seed, faults)
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      const { lists, watches, events, errors } = counts
      t.diagnostic(
        `${seconds} s: ${changes} changes, ${lists} lists, ${watches} watches, ${events} events, ` +
          `${errors} errors, faults ${JSON.stringify(Object.fromEntries(faults.counts))}`,
      )
      assert.deepEqual({ violations, differences }, { violations: [], differences: [] })
      // How often a watch is opened anew depends on how fast the machine is: 9 to 38 were seen, with 37
      // faults and more.
      const faulty = [...faults.counts.values()].reduce((sum, count) => sum + count, 0)
      assert.ok(objects > 100 && watches > 3 && faulty > 25, `${objects} ${watches} ${faulty}`)
    })
  }
})
