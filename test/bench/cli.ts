/** How long a person waits for `mbcas status` on a large cluster: the whole process, as a shell sees it. */
import { join } from 'node:path'

import { createKube, type KubeClient } from '../../src/adapters/kube/client.ts'
import { loadConfig } from '../../src/adapters/kube/load-config.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { nodeMarkets } from '../../src/apis/node-market.ts'
import { table } from '../../src/apps/cli/show.ts'
import { markets } from '../cli/furnish.ts'
import { install } from '../cli/install.ts'
import { unlimited } from '../contracts/embedded.ts'
import { startEmbedded } from '../embedded.ts'
import { real } from '../real.ts'
import { root, run } from '../run.ts'
import type { Bench } from './bench.ts'
import { showMillis } from './timing.ts'

const nodes = 1000
const turns = 10
const goalMillis = 300

export const cli: Bench = {
  name: 'cli',
  about: `mbcas status on ${nodes} nodes, beside kubectl get`,
  async run() {
    console.log(`\nmbcas status of ${nodes} nodes, a process each, ${turns} times\n`)
    const cluster = await startEmbedded()
    const kube = createKube(await loadConfig({ kubeconfig: cluster.kubeconfig }), {
      limits: unlimited,
    })
    try {
      await fill(kube)
      await measure(cluster.kubeconfig)
    } finally {
      kube.close()
      await cluster.stop()
    }
  },
}

/** As agents write them: with all that may be in them, and who owns which field. */
async function fill(kube: KubeClient): Promise<void> {
  await install(kube)
  const [, busy] = markets(systemClock.wall())
  for (let i = 0; i < nodes; i++) {
    const name = `ip-10-250-${i >> 8}-${i & 255}.eu-central-1.compute.internal`
    const { group, version, kind } = nodeMarkets
    const body = { apiVersion: `${group}/${version}`, kind, ...busy, metadata: { name } }
    await kube.patch(nodeMarkets, { name }, { type: 'apply', body, fieldManager: 'bench' })
  }
}

async function measure(kubeconfig: string): Promise<void> {
  const rivals: readonly { readonly name: string; readonly command: readonly string[] }[] = [
    { name: 'node that does nothing', command: [process.execPath, '--eval', '0'] },
    { name: 'node dist/cli/main.js status', command: [process.execPath, main, 'status'] },
    { name: 'bin/mbcas status, from a checkout', command: [join(root, 'bin/mbcas'), 'status'] },
    ...(real.kubernetes.path === undefined
      ? []
      : [
          {
            name: 'kubectl get nodemarkets',
            command: [join(real.kubernetes.path, 'kubectl'), 'get', 'nodemarkets'],
          },
        ]),
  ]
  const taken = rivals.map((): number[] => [])
  // Side by side, so that what else the machine does hits all alike; the first turn warms the files.
  for (let turn = -1; turn < turns; turn++) {
    for (const [i, { command }] of rivals.entries()) {
      const millis = await time(command, kubeconfig)
      if (turn >= 0) taken[i]?.push(millis)
    }
  }
  const columns = [
    { title: '', align: 'left' },
    { title: 'BEST', align: 'right' },
    { title: 'MEDIAN', align: 'right' },
    { title: 'WORST', align: 'right' },
  ] as const
  const rows = rivals.map(({ name }, i) => {
    const sorted = (taken[i] ?? []).toSorted((a, b) => a - b)
    const at = (ratio: number) => showMillis(sorted[Math.floor(ratio * (sorted.length - 1))] ?? NaN)
    return [name, at(0), at(0.5), at(1)]
  })
  console.log(table(columns, rows).join('\n'))
  console.log(`\nThe goal is ${goalMillis} ms.`)
}

const main = join(root, 'dist', 'cli', 'main.js')

async function time([command = '', ...args]: readonly string[], kubeconfig: string) {
  const start = performance.now()
  const { code, stderr } = await run(command, args, { env: { KUBECONFIG: kubeconfig } })
  if (code !== 0) throw new Error(`bench cli: ${command} ${args.join(' ')}: ${stderr}`)
  return performance.now() - start
}
