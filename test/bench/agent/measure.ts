/** One agent as `bin/mbcas` starts it, in a CPU cgroup of its own, and what the kernel says of it. */
import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

import { openCgroups } from '../../../src/adapters/cgroup/reader.ts'
import { makeCgroup, removeCgroup } from '../../kubernetes/cgroups.ts'
import { root, withPath } from '../../run.ts'
import { spawnIn } from '../spawn-in.ts'
import { podsOfNode, type StageNode } from './stage.ts'

export type Setting = {
  /** The Node binary. */
  readonly node: string
  readonly samplingMillis: number
}

export type Times = {
  /** After the first answer: first clearings and new code, which count for memory alone. */
  readonly startUpMillis: number
  readonly millis: number
}

/** Megabytes are of 2^20 bytes. */
export type Figures = {
  readonly version: string
  readonly nodeFlags: readonly string[]
  readonly millicores: number
  readonly rss: PeakAndLast
  /** Anonymous: without the pages of files, such as the binary's. */
  readonly own: PeakAndLast
}

export type PeakAndLast = { readonly peak: number; readonly last: number }

/** As Prometheus does. */
const SCRAPE_MILLIS = 15_000
const LOOK_MILLIS = 1000

export async function measureAgent(
  { name, cgroupRoot }: StageNode,
  { node, samplingMillis }: Setting,
  { kubeconfig, startUpMillis, millis }: Times & { readonly kubeconfig: string },
): Promise<Figures> {
  const group = `${cgroupRoot}-agent`
  makeCgroup(group)
  const flags = {
    node: name,
    kubeconfig,
    'cgroup-root': cgroupRoot,
    'sampling-interval': `${samplingMillis}ms`,
    listen: '127.0.0.1:0',
  }
  const agent = spawnIn(
    group,
    [
      join(root, 'bin', 'mbcas'),
      'agent',
      ...Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...withPath(dirname(node)) } },
  )
  const cgroups = openCgroups()
  const ended = once(agent, 'close')
  try {
    const url = await servingUrl(agent)
    const { pid = 0 } = agent
    await sleep(startUpMillis)
    const usage = () => {
      const reading = cgroups.read({ path: group })
      if (reading === undefined) throw new Error(`reading ${group}: there is no such cgroup`)
      return reading
    }
    const before = usage()
    const memory = await watchMemory({ pid, url, millis })
    const after = usage()
    checkSamples(await scrape(url), (startUpMillis + millis) / samplingMillis)
    const micros = after.atMicros - before.atMicros
    return {
      ...commandOf(pid),
      millicores: ((after.usageMicros - before.usageMicros) / micros) * 1000,
      ...memory,
    }
  } finally {
    cgroups.close()
    agent.kill('SIGTERM')
    await ended
    await removeCgroup(group)
  }
}

/** Where it serves its metrics, once it does. */
async function servingUrl(agent: ChildProcess): Promise<string> {
  const said: string[] = []
  if (agent.stderr === null) throw new Error('expected a pipe from the agent')
  const lines = createInterface({ input: agent.stderr })
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      said.push(line)
      const url = /"msg":"serving".*"url":"([^"]+)"/.exec(line)?.[1]
      if (url !== undefined) resolve(url)
    })
    lines.on('close', () => reject(new Error(`the agent ended:\n${said.slice(-20).join('\n')}`)))
  })
}

async function watchMemory({
  pid,
  url,
  millis,
}: {
  readonly pid: number
  readonly url: string
  readonly millis: number
}): Promise<Pick<Figures, 'rss' | 'own'>> {
  const end = performance.now() + millis
  let scrapeAt = 0
  let [rss, own] = [
    { peak: 0, last: 0 },
    { peak: 0, last: 0 },
  ]
  while (performance.now() < end) {
    if (performance.now() >= scrapeAt) {
      scrapeAt = performance.now() + SCRAPE_MILLIS
      await scrape(url)
    }
    await sleep(LOOK_MILLIS)
    const now = memoryOf(pid)
    rss = { peak: now.peakRss, last: now.rss }
    own = { peak: Math.max(own.peak, now.own), last: now.own }
  }
  return { rss, own }
}

const scrape = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text()

/** An agent that sees nothing is light, and one on a busy machine lighter than it should be. */
function checkSamples(metrics: string, turns: number): void {
  const read = Number(/^mbcas_samples_total\{result="read"\} (\d+)$/m.exec(metrics)?.[1])
  const all = turns * podsOfNode
  const fault = `expected ${all} samples of containers, got ${read}`
  if (!(read >= 0.2 * all)) throw new Error(fault)
  if (read < 0.9 * all) console.log(`the machine is too busy for figures: ${fault}`)
}

/** Reading it costs the reader, not the process read. */
function memoryOf(pid: number) {
  const mbIn = (file: string, name: string): number => {
    const text = readFileSync(`/proc/${pid}/${file}`, 'utf8')
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / 1024
  }
  return {
    peakRss: mbIn('status', 'VmHWM'),
    rss: mbIn('smaps_rollup', 'Rss'),
    own: mbIn('smaps_rollup', 'Anonymous'),
  }
}

/** The binary, and what stands before the script. */
function commandOf(pid: number): Pick<Figures, 'version' | 'nodeFlags'> {
  const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(1)
  const nodeFlags = args.slice(
    0,
    args.findIndex((arg) => !arg.startsWith('-')),
  )
  const binary = readlinkSync(`/proc/${pid}/exe`)
  const version = execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim()
  return { version, nodeFlags }
}
