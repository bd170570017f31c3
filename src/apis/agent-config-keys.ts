/**
 * The keys of the agent's configuration file. Those of the first design keep their names, units and,
 * where it did not contradict itself, defaults. Numbers that only an algorithm owns are not here but
 * beside it.
 */
import * as v from 'valibot'

import { enforcements } from '../core/enforcement/enforcements.ts'
import { mechanismNames } from '../core/market/mechanism-names.ts'
import { millicores } from '../core/units.ts'
import { cpu, duration, number, onOff, ratio, shown, text, wholeNumber } from './config-fields.ts'

/** Defaults that the mode decides on. */
export const usual = {
  normal: { alphaDown: 0.1, needHeadroomFactor: 0.15 },
  cost: { alphaDown: 0.7, needHeadroomFactor: 0.05 },
}
const byMode = (key: keyof typeof usual.normal) =>
  shown(`${usual.normal[key]}; in cost mode ${usual.cost[key]}`)

/** A part that reaches a new value in one second; 0 would never reach it. */
const alpha = (description: string) => number(description, { min: 0.001, max: 1 })

const rhythm = {
  samplingInterval: v.optional(
    duration(
      "From one reading of the kernel's counters to the next. Shorter notices sooner who wakes and who takes too much; it costs CPU of the agent",
      { min: '100ms', max: '1s' },
    ),
    '250ms',
  ),
  fastLoopInterval: v.optional(
    duration(
      'How soon what cannot wait for the next clearing is done again: asking for latency, clearing while somebody suffers. Weights are set at every sample',
      { min: '100ms', max: '10s' },
    ),
    '2s',
  ),
  slowLoopInterval: v.optional(
    duration('From one clearing of the market to the next', { min: '1s', max: '10m' }),
    '15s',
  ),
}

const demand = {
  alphaUp: v.optional(
    alpha(
      'How fast the demand of bids follows upwards: the part of a step that shows after one second, whatever the sampling interval',
    ),
    0.3,
  ),
  alphaDown: v.optional(
    v.pipe(
      alpha('The same downwards; in cost mode more, so that what is not used comes back soon'),
      v.metadata(byMode('alphaDown')),
    ),
  ),
  needHeadroomFactor: v.optional(
    v.pipe(
      ratio(
        'Head-room: of mean use, what requests are above it; of demand, what strict pods and the groups of a host bid above it',
      ),
      v.metadata(byMode('needHeadroomFactor')),
    ),
  ),
}

const market = {
  enforcement: v.optional(
    v.pipe(
      v.picklist(enforcements, enforcements.join(', ')),
      v.description(
        "How shares are enforced: `elastic` by kernel weights, so that idle CPU is anybody's; `strict` by quotas, which at each clearing add up to at most what is sold. A pod, namespace or node may choose its own by `mbcas.io/enforcement`",
      ),
    ),
    'elastic',
  ),
  mechanism: v.optional(
    v.pipe(
      v.picklist(mechanismNames, mechanismNames.join(', ')),
      v.description('How CPU is shared when it is short'),
    ),
    'nash',
  ),
  enablePriceResponse: v.optional(
    onOff(
      'Needs fall with the price, by at most 20 % a clearing: who could do with less leaves some to who is short. Not with kalai-smorodinsky',
    ),
    false,
  ),
  costEfficiencyMode: v.optional(
    onOff(
      'Requests follow use more closely: other defaults, and strict limits get no idle CPU as head-room',
    ),
    false,
  ),
}

const guardrail = {
  enableFastGuardrail: v.optional(
    onOff(
      'Protection: pods that use more than they are entitled to are held back by quotas while another one misses its own latency target, or waits within its request at least as long as it runs, although weights are set',
    ),
    true,
  ),
  fastUpThreshold: v.optional(
    ratio(
      'Of the last 20 periods of a strict pod: with more throttled ones it suffers, and the market is cleared out of turn',
    ),
    0.05,
  ),
  enableBurst: v.optional(
    onOff(
      'Strict pods get CPU burst as large as their quota, where the kernel has it and the cgroup can be written; `mbcas.io/burst: "false"` keeps a pod out',
    ),
    true,
  ),
}

const common = { ...rhythm, ...demand, ...market, ...guardrail }

const cluster = {
  baselineCPUPerPod: v.optional(
    cpu(
      'The least that is promised to a pod without `mbcas.io/min-cpu`: its request is never lowered below this, unless its owner requested less or `mbcas.io/max-cpu` is less. A strict pod also bids for at least this much',
      millicores(10),
    ),
    '100m',
  ),
  systemReservePercent: v.optional(
    number(
      'Of allocatable CPU, what is not sold: for the system, and for pods to come. It counts only where shares are strict by default (`enforcement` here or on the node): weights need no reserve',
      { min: 0, max: 90 },
    ),
    10,
  ),
  minChangePercent: v.optional(
    number('Of what is published: a smaller change is not', { min: 0, max: 50 }),
    2,
  ),
  startupGracePeriod: v.optional(
    duration('After its start a pod is not lowered', { min: '0s', max: '1h' }),
    '90s',
  ),
  skipGuaranteed: v.optional(
    onOff(
      'Guaranteed pods take part only by `mbcas.io/guaranteed: manage`; false lets all take part. Their request and limit stay equal, and pods with CPUs of their own never take part',
    ),
    true,
  ),
  prometheusURL: v.optional(
    v.pipe(
      text(
        'Where latency is asked for, such as http://prometheus.monitoring:9090; without it only waiting and throttling count',
        'the URL of a Prometheus',
      ),
      v.url('the URL of a Prometheus'),
      v.title('URL'),
      v.metadata(shown('none')),
    ),
  ),
  latencyQuery: v.optional(
    v.pipe(
      text(
        'PromQL for the p99 latency of pods in seconds, with labels `namespace` and `pod`; `$namespace` and `$pod` in it stand for the pods asked about',
        'a PromQL query',
      ),
      v.nonEmpty('a PromQL query'),
      v.title('PromQL'),
      v.metadata(shown('of `http_request_duration_seconds`')),
    ),
  ),
  sloLatencyTarget: v.optional(
    duration(
      'p99 target of a pod that has latency but no `mbcas.io/target-latency-ms`; 0s is none',
      { min: '0s', max: '1h' },
    ),
    '100ms',
  ),
}

export const agentConfigFile = v.strictObject(
  { ...cluster, ...common },
  'an object of keys and values',
)

const path = v.pipe(
  text(
    'Below the cpu hierarchy (cgroup v1) or the unified one (v2)',
    'a path such as services/api',
  ),
  v.regex(/^[^/]+(\/[^/]+)*$/, 'a path such as services/api, without / at its ends'),
  v.check(
    (path) => path.split('/').every((part) => part !== '.' && part !== '..'),
    'a path without . and ..',
  ),
)

const group = v.strictObject(
  {
    path,
    floor: v.optional(
      v.pipe(
        cpu(
          'What the group is entitled to, like a request in Kubernetes: while it uses less, it goes first. With `enforcement: strict` its quota is never below, as far as all floors fit. Only a group with `exclusiveCpus` needs none',
          millicores(10),
        ),
        v.metadata(shown('must be given')),
      ),
    ),
    ceiling: v.optional(
      v.pipe(
        cpu(
          'The most that the group may use, even of idle CPU: it is set as quota, unless the quota that the group was found with is lower. With `enforcement: strict`, the largest quota that it gets',
          millicores(10),
        ),
        v.metadata(shown('none; with `enforcement: strict` the capacity')),
      ),
    ),
    weight: v.optional(
      number(
        'How much of the CPU above all floors the group gets while CPU is short, in proportion to the weights of the others',
        { min: 0.001, max: 1000 },
      ),
      1,
    ),
    urgent: v.optional(
      onOff(
        'Its latency matters, like that of a pod with a latency target: also above its floor it goes before the others, up to what its floor weighs while it is within it',
      ),
      false,
    ),
    exclusiveCpus: v.optional(
      v.pipe(
        wholeNumber(
          'CPUs that it has for itself alone among the groups, by cpusets: it takes no part in the market and has no quota, and all other groups run on the CPUs that are left',
          { min: 1, max: 8192 },
        ),
        v.metadata(shown('none')),
      ),
    ),
  },
  'an object with path, floor, ceiling, weight, urgent and exclusiveCpus',
)

export const hostConfigFile = v.strictObject(
  {
    reserve: v.optional(
      cpu("CPU that is not sold; capacity is the machine's CPUs less this", millicores(0)),
      '100m',
    ),
    period: v.optional(
      duration(
        'The period of quotas with `enforcement: strict`; otherwise a group keeps the period that it was found with. A longer one lets a surge within the average run longer before it is throttled, and makes a group that wants more than its quota wait longer',
        { min: '10ms', max: '1s' },
      ),
      '1s',
    ),
    groups: v.pipe(
      v.array(group, 'a list of groups'),
      v.minLength(1, 'a list of at least one group'),
      // Each is read four times a second.
      v.maxLength(1000, 'a list of at most 1000 groups'),
      v.description('The cgroups that are managed; all others are left alone'),
    ),
    ...common,
  },
  'an object with reserve and groups',
)
