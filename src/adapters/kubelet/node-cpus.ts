import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

import { readKubeletFile } from '../../apis/kubelet-config.ts'
import type { Machine } from '../../core/cpu/machine.ts'
import type { Log } from '../../ports/log.ts'
import type { NodeCpus, NodeCpusSource } from '../../ports/node-cpus.ts'
import { parseDocument } from '../document.ts'
import { readMachine } from '../sys/machine.ts'
import { parseCpuCheckpoint } from './cpu-checkpoint.ts'
import { joinSources, type Sources } from './join.ts'
import { parseMemoryCheckpoint } from './memory-checkpoint.ts'
import { askPodResources, type PodResources } from './pod-resources.ts'
import { watchFile } from './watched-file.ts'

type KubeletPlace = {
  /** The kubelet's `--root-dir`. */
  readonly kubeletDir: string
  /** Its `--config`. */
  readonly kubeletConfig: string
  /** Where the kernel tells of CPUs and NUMA nodes. */
  readonly sys: string
}

/** Learns a node's CPUs from its kernel and its kubelet. What cannot be had is told once. */
export function openNodeCpus(
  { kubeletDir, kubeletConfig, sys }: KubeletPlace,
  log: Log,
): NodeCpusSource {
  const socket = join(kubeletDir, 'pod-resources', 'kubelet.sock')
  const readFile = watchFile({
    path: kubeletConfig,
    parse: (text) => readKubeletFile(parseDocument(text, kubeletConfig), kubeletConfig),
    log,
  })
  const readCpu = watchFile({
    path: join(kubeletDir, 'cpu_manager_state'),
    parse: parseCpuCheckpoint,
    log,
  })
  const readMemory = watchFile({
    path: join(kubeletDir, 'memory_manager_state'),
    parse: parseMemoryCheckpoint,
    log,
  })
  // Once, as the kubelet does: what it gives away is of the machine that it started on.
  const machine = machineOrNone(sys, log)
  let resources: PodResources | undefined
  let told = ''
  let last: Sources = {}
  let known: NodeCpus | undefined

  const current = (): NodeCpus | undefined => {
    const now = { machine, file: readFile(), cpu: readCpu(), memory: readMemory(), resources }
    if (!isSame(now, last)) known = joinSources(now)
    last = now
    return known
  }

  const refresh = async (signal: AbortSignal): Promise<void> => {
    try {
      const answer = await askPodResources(socket, signal)
      if (!isDeepStrictEqual(answer, resources)) resources = answer
      told = ''
    } catch (error) {
      const said = String(error)
      if (said !== told && !signal.aborted) log('warn', 'kubelet not asked', { socket, error })
      told = said
    }
  }

  return { current, refresh }
}

const isSame = (a: Sources, b: Sources): boolean =>
  (['machine', 'file', 'cpu', 'memory', 'resources'] as const).every((key) => a[key] === b[key])

function machineOrNone(sys: string, log: Log): Machine | undefined {
  try {
    return readMachine(sys)
  } catch (error) {
    log('warn', 'topology of the machine not read', { sys, error })
    return undefined
  }
}
