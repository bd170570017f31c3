/**
 * npm run real:up [-- --folder F]     a cluster that lives until real:down
 * npm run real:down [-- --folder F]
 *   main.js run [--folder F]          a cluster that lives as long as this process
 *   main.js clean NAME                the keeper's last act: see machine.ts
 */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { readClaim, readClaims } from './claims.ts'
import { cleanUp, sweep, takeDown } from './cleanup.ts'
import { startCluster, type Cluster } from './cluster.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { folder: { type: 'string' }, nodes: { type: 'string', default: '1' } },
})
const folder = resolve(values.folder ?? join(homedir(), '.cache', 'mbcas', 'real-cluster'))
const say = (text: string) => console.log(text)
const claimed = () => readClaims().find((claim) => claim.folder === folder)

async function start(): Promise<Cluster> {
  const cluster = await startCluster({ folder, nodes: Number(values.nodes), say })
  say(`cluster ${cluster.name} at ${cluster.url}, files in ${folder}`)
  say(`export KUBECONFIG=${cluster.kubeconfig}`)
  for (const { nodeName, cgroupRoot } of cluster.nodes) {
    say(`mbcas agent --node ${nodeName} --cgroup-root ${cgroupRoot}`)
  }
  return cluster
}

const commands: Record<string, () => Promise<void>> = {
  async up() {
    const cluster = await start()
    cluster.leaveRunning()
  },
  async down() {
    const claim = claimed()
    if (claim !== undefined) await takeDown(claim)
    await sweep()
    say(claim === undefined ? `no cluster in ${folder}` : `cluster ${claim.name} is down`)
  },
  async run() {
    await start()
    while (claimed() !== undefined) await sleep(200)
  },
  async clean() {
    const claim = readClaim(positionals[1] ?? '')
    if (claim !== undefined) await cleanUp(claim)
  },
}

const command = commands[positionals[0] ?? '']
try {
  if (command === undefined) throw new Error(`expected one of ${Object.keys(commands).join(', ')}`)
  await command()
} catch (error) {
  for (let e = error; e instanceof Error; e = e.cause) console.error(e.message)
  process.exitCode = 1
}
