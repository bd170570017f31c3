/** Short texts: flags, annotations, and what the kernel and other servers answer. */
import { parseNodeView } from '../../../src/adapters/agent/parse.ts'
import { parseNumaStat } from '../../../src/adapters/cgroup/parse-numa-stat.ts'
import { parsePressure } from '../../../src/adapters/cgroup/parse-pressure.ts'
import * as cgroup from '../../../src/adapters/cgroup/parse.ts'
import { parseCpuCheckpoint } from '../../../src/adapters/kubelet/cpu-checkpoint.ts'
import { parseMemoryCheckpoint } from '../../../src/adapters/kubelet/memory-checkpoint.ts'
import {
  readAllocatable,
  readHeldDevices,
} from '../../../src/adapters/kubelet/pod-resources-messages.ts'
import { parsePlainYaml } from '../../../src/adapters/plain-yaml.ts'
import { parseLatencies } from '../../../src/adapters/prometheus/parse.ts'
import { parseAmounts, parseOptions, parseReservedMemory } from '../../../src/apis/kubelet-flags.ts'
import { loadGrammar } from '../../../src/apis/load-grammar.ts'
import { parseLoad, parseWrittenLoad } from '../../../src/apis/load.ts'
import { parseRecording } from '../../../src/apis/recording.ts'
import { parseCpuSet } from '../../../src/core/cpu/cpu-set.ts'
import { readSysMachine } from '../../../src/core/cpu/read-topology/from-sys.ts'
import { parseDuration } from '../../../src/core/duration.ts'
import { InvalidInput } from '../../../src/core/errors.ts'
import {
  formatQuantity,
  parseBytes,
  parseMillicores,
  parseQuantity,
  QuantityError,
} from '../../../src/core/quantity.ts'
import { figureAt, momentOf, type Recording } from '../../../src/core/replay.ts'
import { parseOriginal } from '../../../src/core/resize/original.ts'
import { parseListen } from '../../../src/runtime/listen.ts'
import { recorded as podResources } from '../../pod-resources.ts'
import { chance, mutateBytes, mutateText, pick, randomBytes } from '../generate.ts'
import { asBytes, asText, type FuzzTarget } from '../target.ts'
import { isPlainError } from './seeds.ts'

type Parse = (text: string) => unknown

const text = (
  name: string,
  seeds: readonly string[],
  ...parsers: readonly Parse[]
): FuzzTarget => ({
  name,
  generate: (random) => (chance(random, 0.02) ? randomBytes(random) : mutateText(random, seeds)),
  run: (input) => {
    for (const parse of parsers) attempt(parse, asText(input))
  },
})

/** One that refuses must not hide the next. */
function attempt(parse: Parse, input: string): void {
  try {
    parse(input)
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
}

/** What each of these parsers says no with; their callers turn it into what they say. */
const isRefusal = (error: unknown): boolean =>
  isPlainError(error) ||
  error instanceof InvalidInput ||
  error instanceof QuantityError ||
  error instanceof SyntaxError ||
  (error instanceof RangeError && error.message.startsWith('converting quantity '))

const loads = Object.values(loadGrammar).flatMap(({ examples }) => examples)
const days = [
  '# a day\r\nseconds,rate\r\n1760000000,12.5\r\n1760000300,0\r\n',
  '0,0\n0.5,1e3\n7,2\n',
  '"seconds","cores"\n"0","2"\n',
]

/** Whatever was recorded can be played. */
function playThrough(recording: Recording): void {
  for (const after of ['hold', 'loop'] as const) {
    const replay = { recording, scale: 0.000001, speed: 1_000_000, after }
    for (const at of [0, 1, 1e9]) {
      if (!(figureAt(replay, at) >= 0)) throw new TypeError(`got no figure at ${at}`)
      if (!(momentOf(replay, at) >= 0)) throw new TypeError(`got no moment for ${at}`)
    }
  }
}

const numaStat = [
  'anon N0=1531904 N1=0\nfile N0=831488 N1=4096\n',
  'hierarchical_total=5789 N0=5700 N1=89\n',
]
const cpuStats = [
  'nr_periods 10\nnr_throttled 2\nthrottled_time 123456789\nnr_bursts 0\nburst_time 0\n',
  'usage_usec 5\nuser_usec 3\nsystem_usec 2\nnr_periods 1\nnr_throttled 0\nthrottled_usec 0\nnr_bursts 0\nburst_usec 0\n',
  '100000 100000\n',
  'max 100000\n',
  '-1\n',
]
const latencies = JSON.stringify({
  status: 'success',
  data: {
    resultType: 'vector',
    result: [{ metric: { namespace: 'a', pod: 'b' }, value: [1, '0.25'] }],
  },
})
const view = JSON.stringify({
  node: 'n',
  at: 1,
  market: { at: 1, mode: 'congested', allocatable: 1, reserve: 1, held: 0, capacity: 1, sold: 1 },
  pods: [
    {
      uid: 'u',
      namespace: 'a',
      name: 'b',
      used: 1,
      demand: 1,
      request: 1,
      throttledRatio: 0,
      waitedRatio: 0,
      state: 'well',
      reason: 'r',
      bid: { floor: 1, need: 1, ceiling: 1, weight: 1, entitled: 1, shareRatio: 1, gets: 1 },
    },
  ],
})
const checkpoints = [
  '{"policyName":"static","defaultCpuSet":"0-1","entries":{"u":{"c":"2-3,5"}},"checksum":1}',
  '{"policyName":"Static","machineState":{"0":{"memoryMap":{"memory":{"systemReserved":1048576}}}},"entries":{"u":{"c":[{"numaAffinity":[0],"type":"memory","size":67108864}]}}}',
]
const messages = Object.values(podResources).flatMap((answer) =>
  answer instanceof Buffer ? [answer.subarray(5)] : [],
)
/** Files by path, each as `path: text`, of a machine of two CPUs. */
const sys = ['cpu/online: 0-1', 'cpu/cpu0/topology/core_id: 0', 'cpu/cpu1/topology/core_id: 1']
  .concat(['cpu/cpu0/topology/physical_package_id: 0', 'cpu/cpu1/topology/physical_package_id: 0'])
  .concat([
    'node/online: 0',
    'node/node0/cpulist: 0-1',
    'node/node0/meminfo: Node 0 MemTotal: 1024 kB',
  ])

function readSys(input: string): unknown {
  const texts = new Map(input.split('\n').map((line) => line.split(': ', 2) as [string, string]))
  return readSysMachine((path) => texts.get(path))
}

const flagOf = { flag: '--period', min: 1, max: 3_600_000 }

export const texts: readonly FuzzTarget[] = [
  text(
    'quantity',
    ['1', '100m', '1.5Gi', '1e3', '0.5Ki', '-2E'],
    parseMillicores,
    parseBytes,
    (q) => formatQuantity(parseQuantity(q)),
  ),
  text('duration', ['250ms', '15s', '1.5m', '1h'], (t) => parseDuration(t, flagOf)),
  text('listen', [':8082', '127.0.0.1:0', '[::1]:8080'], parseListen),
  text('cpu-list', ['0-3,8', '0', '5,4,4-6', ''], parseCpuSet),
  text('load', loads, parseLoad, parseWrittenLoad),
  text('recording', days, (t) => playThrough(parseRecording(t, 'day.csv'))),
  text(
    'kubelet-flags',
    ['a=true,b=1', '0:memory=1Gi;1:memory=2Gi', 'memory=1Gi,cpu=1'],
    parseOptions,
    parseReservedMemory,
    (t) => parseAmounts(t, 'x'),
  ),
  text('original-cpu', ['{"main":{"request":"100m","limit":"500m"}}'], parseOriginal),
  text(
    'cpu-stat',
    cpuStats,
    cgroup.parseCpuStatV1,
    cgroup.parseCpuStatV2,
    cgroup.parseCpuMax,
    cgroup.parseQuotaV1,
    cgroup.parsePeriodV1,
    cgroup.parseUsageV1,
    cgroup.parseShares,
    cgroup.parseWeight,
    cgroup.parseBurst,
  ),
  text(
    'numa-stat',
    numaStat,
    (t) => parseNumaStat(t, 1),
    (t) => parseNumaStat(t, 2),
  ),
  text('pressure', ['some avg10=12.50 avg60=3.10 avg300=0.66 total=6045654\n'], parsePressure),
  text('sys', [sys.join('\n')], readSys),
  text('latencies', [latencies], parseLatencies),
  text('agent-state', [view], parseNodeView),
  text('checkpoints', checkpoints, parseCpuCheckpoint, parseMemoryCheckpoint),
  text('plain-yaml', ['a:\n- b: 1 # comment\n  c: "x"\n', 'a: {}\nb:\n  c: d\n'], parsePlainYaml),
  {
    name: 'pod-resources',
    generate: (random) =>
      chance(random, 0.1) ? randomBytes(random) : mutateBytes(random, [pick(random, messages)]),
    run: (input) => {
      attempt(() => readAllocatable(Buffer.from(asBytes(input))), '')
      attempt(() => readHeldDevices(Buffer.from(asBytes(input))), '')
    },
  },
]
