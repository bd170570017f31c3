/**
 * Kubelets with the static policy, and pods that come to each, one after the other: on this machine,
 * and on others, which a kubelet takes for its own. Such a one admits containers to CPUs that this
 * machine lacks; they do not start, but who got what is decided by then.
 */
import { availableParallelism } from 'node:os'

import { placesOf } from '../cpu/machines.ts'
import type { SysMachine } from '../cpu/sys-folder.ts'
import type { Verdict } from './kubelet-verdicts.ts'
import { type ContainerWish, idle, type PodWish } from './real-pods.ts'

/** Guaranteed: its limits are its requests. */
const cpus = (count: string, more: Partial<ContainerWish> = {}): ContainerWish => ({
  work: idle,
  request: count,
  limit: count,
  memory: '64Mi',
  ...more,
})

/** Of this machine, all but CPU 0. */
const most = availableParallelism() - 1
export const others = most === 1 ? '1' : `1-${most}`

export type KubeletCase = {
  readonly name: string
  /** What it finds in its /sys; this one, if not told. */
  readonly machine?: SysMachine
  /** How it is set up, and the same for `mbcas cpu plan`. */
  readonly kubelet: object
  readonly flags: string
  /** In the order in which they come. */
  readonly pods: readonly Fate[]
  /** What the agent tells of the NUMA nodes then. */
  readonly told: readonly string[]
  readonly later: readonly Fate[]
}

/** A pod, and what becomes of it. */
export type Fate = { readonly wish: PodWish; readonly is: Verdict }

export const kubeletCases: readonly KubeletCase[] = [
  {
    name: 'on this machine: CPUs of their own, which an init container has used before',
    kubelet: {
      cpuManagerPolicy: 'static',
      reservedSystemCPUs: '0',
      cpuManagerReconcilePeriod: '1s',
    },
    flags: '--reserved-cpus 0',
    pods: [
      { wish: { name: 'shared', work: idle, request: '0' }, is: 'main shared' },
      {
        wish: { name: 'large', ...cpus(`${most + 1}`) },
        is: `UnexpectedAdmissionError: Allocate failed due to not enough cpus available to satisfy request: requested=${most + 1}, available=${most}, which is unexpected`,
      },
      {
        wish: {
          name: 'pinned',
          ...cpus(`${most}`),
          inits: { first: cpus(`${most}`, { work: 'true' }) },
        },
        is: `first on ${others}; main on ${others}`,
      },
    ],
    told: [`${most + 1} CPUs, ${most} allocatable, 0 available`],
    later: [
      {
        wish: { name: 'second', ...cpus('1') },
        is: 'UnexpectedAdmissionError: Allocate failed due to not enough cpus available to satisfy request: requested=1, available=0, which is unexpected',
      },
    ],
  },
  {
    name: 'on two sockets: whole cores, one NUMA node, memory near',
    machine: {
      cpus: placesOf({ sockets: 2, nodes: 1, cores: 2, threads: 2, together: true }),
      kibibytes: 2 ** 20,
    },
    kubelet: {
      cpuManagerPolicy: 'static',
      cpuManagerPolicyOptions: { 'full-pcpus-only': 'true' },
      reservedSystemCPUs: '7',
      topologyManagerPolicy: 'single-numa-node',
      memoryManagerPolicy: 'Static',
      systemReserved: { memory: '255Mi' }, // and 1Mi of evictionHard: the sum of what follows
      reservedMemory: [0, 1].map((numaNode) => ({ numaNode, limits: { memory: '128Mi' } })),
    },
    flags:
      '--options full-pcpus-only --reserved-cpus 7 --topology-policy single-numa-node --reserved-memory 0:memory=128Mi;1:memory=128Mi',
    pods: [
      { wish: { name: 'pair', ...cpus('2') }, is: 'main on 0-1, memory on 0' },
      {
        wish: { name: 'odd', ...cpus('1') },
        is: 'SMTAlignmentError: SMT Alignment Error: requested 1 cpus not multiple cpus per core = 2',
      },
      {
        wish: { name: 'wide', ...cpus('4') },
        is: 'TopologyAffinityError: Resources cannot be allocated with Topology locality',
      },
      {
        wish: { name: 'heavy', ...cpus('100m', { memory: '1Gi' }) },
        is: 'UnexpectedAdmissionError: Allocate failed due to [memorymanager] failed to get the default NUMA affinity, no NUMA nodes with enough memory is available, which is unexpected',
      },
    ],
    told: ['4 CPUs, 4 allocatable, 2 available', '4 CPUs, 3 allocatable, 3 available'],
    later: [
      {
        wish: { name: 'two', ...cpus('2'), beside: { other: cpus('2') } },
        is: 'main on 2-3, memory on 0; other on 4-5, memory on 1',
      },
      {
        wish: { name: 'late', ...cpus('2') },
        is: 'TopologyAffinityError: Resources cannot be allocated with Topology locality',
      },
    ],
  },
  {
    name: 'on two threads of a core: one is for the system',
    machine: {
      cpus: placesOf({ sockets: 1, nodes: 1, cores: 1, threads: 2 }),
      kibibytes: 2 ** 20,
    },
    kubelet: { cpuManagerPolicy: 'static', reservedSystemCPUs: '0' },
    flags: '--reserved-cpus 0',
    pods: [{ wish: { name: 'thread', ...cpus('1') }, is: 'main on 1' }],
    told: ['2 CPUs, 1 allocatable, 0 available'],
    later: [],
  },
]
