/** What is measured, each in a fresh process, of which this is the part that measures. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

import { nameOf, namespaceOf } from './pods.ts'
import type { Rival } from './rival.ts'

export const sizes = { pods: 10_000, events: 50_000, gets: 500, atOnce: 16, idlePods: 110 }
const idleMillis = 10_000

/** Megabytes are of 2^20 bytes; CPU is of all threads, while at the task. */
export type Figures = {
  readonly cpuSeconds: number
  readonly seconds: number
  readonly peakMb: number
  readonly rssMb: number
  /** Private memory: without the binary, which all processes of a node share. */
  readonly anonMb: number
}

export type Task = 'listAll' | 'listPages' | 'watch' | 'gets' | 'idle'

export const tasks: Readonly<Record<Task, (rival: Rival) => Promise<Figures>>> = {
  listAll: async (rival) => {
    const stop = stopwatch()
    const items = await rival.listAll()
    return checked(items.length, stop())
  },
  listPages: async (rival) => {
    const stop = stopwatch()
    const { size } = await rival.listPages()
    return checked(size, stop())
  },
  /** From the first event to the last, with all pods in the cache. */
  watch: async (rival) =>
    new Promise((resolve, reject) => {
      let count = 0
      let stop = stopwatch()
      const updated = () => {
        count += 1
        if (count === 1) stop = stopwatch()
        if (count === sizes.events) resolve(stop())
      }
      rival.inform({ synced: () => {}, updated }).catch(reject)
    }),
  gets: async (rival) => {
    const stop = stopwatch()
    let next = 0
    const ask = async () => {
      while (next < sizes.gets) {
        const index = next++
        await rival.get({ name: nameOf(index), namespace: namespaceOf(index) })
      }
    }
    await Promise.all(Array.from({ length: sizes.atOnce }, ask))
    return stop()
  },
  idle: async (rival) => {
    const stop = stopwatch()
    await new Promise<void>((resolve, reject) => {
      rival.inform({ synced: resolve, updated: () => {} }).catch(reject)
    })
    await sleep(idleMillis)
    return stop()
  },
}

function checked(count: number, figures: Figures): Figures {
  if (count !== sizes.pods) throw new Error(`expected ${sizes.pods} pods, got ${count}`)
  return figures
}

function stopwatch(): () => Figures {
  const start = performance.now()
  const cpu = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(cpu)
    return {
      cpuSeconds: (user + system) / 1e6,
      seconds: (performance.now() - start) / 1000,
      ...memory(),
    }
  }
}

/**
 * The peak is VmHWM where there is one: Linux counts into ru_maxrss what the parent had when it
 * started the process. NaN for what the system does not tell.
 */
function memory(): Pick<Figures, 'peakMb' | 'rssMb' | 'anonMb'> {
  if (process.platform !== 'linux') {
    const peakMb = process.resourceUsage().maxRSS / 1024
    return { peakMb, rssMb: process.memoryUsage.rss() / 2 ** 20, anonMb: NaN }
  }
  const mbOf = (file: string, name: string) => {
    const text = readFileSync(`/proc/self/${file}`, 'utf8')
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024
  }
  return {
    peakMb: mbOf('status', 'VmHWM'),
    rssMb: mbOf('smaps_rollup', 'Rss'),
    anonMb: mbOf('smaps_rollup', 'Anonymous'),
  }
}
