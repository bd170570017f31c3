/** What people may write as a load, for the reference page; a test holds the parser to it. */
import type { WrittenLoad } from './load.ts'

type Kind = {
  readonly about: string
  readonly examples: readonly string[]
  /** What is written after `=`, and what it means. */
  readonly fields: Readonly<Record<string, Field>>
}

type Field = { readonly value: string; readonly about: string }

const cpu = 'quantity of CPU, such as 300m or 2'
const duration = 'duration, such as 250ms, 15s, 10m or 24h'
const threads: Field = {
  value: 'whole number, 1 to 1000',
  about: 'On how many CPUs it can run at a time; as many as it needs if not said',
}
const seed: Field = {
  value: 'whole number',
  about: 'Its random seed; derived from that of the cluster or the scenario if not set',
}
const bursts = {
  low: { value: cpu, about: 'Between; 0 if not said' },
  high: { value: cpu, about: 'In a burst' },
  every: { value: duration, about: 'From the start of a burst to the next one' },
  for: { value: duration, about: 'How long a burst is; shorter than `every`' },
  threads,
}

const factor = 'number, 0.000001 to 1000000'
/** Of requests, wherever their rate comes from. */
const service = {
  cpu: { value: 'CPU time, 10us to 60s, such as 8ms', about: 'Of a request, on average' },
  spread: {
    value: '`fixed`, `exponential`, `heavy`, `spikes`',
    about:
      'How that differs from request to request: not at all, which holds if not said; exponential; lognormal with sigma 1; one in five three times as much as the others',
  },
  threads: { ...threads, about: 'Requests in work at a time; 1 if not said' },
  queue: {
    value: 'whole number, 0 to 100000',
    about: 'Requests that may wait, beyond which they are refused; 1000 if not said',
  },
  seed,
}

export const loadGrammar: Readonly<Record<WrittenLoad['kind'], Kind>> = {
  idle: {
    about: 'Next to nothing, all the time; what a pod does of which nothing is said.',
    examples: ['idle', 'idle cpu=5m'],
    fields: { cpu: { value: cpu, about: 'How much; 2m if not said' } },
  },
  steady: {
    about: 'As much all the time. What it does not get it does not make up for later.',
    examples: ['steady cpu=300m', 'steady cpu=2 threads=4'],
    fields: { cpu: { value: cpu, about: 'How much it wants' }, threads },
  },
  ramp: {
    about: 'From one amount to another, and then it stays there. Nothing is made up for.',
    examples: ['ramp from=100m to=900m over=10m'],
    fields: {
      from: { value: cpu, about: 'At the start' },
      to: { value: cpu, about: 'At the end; more or less than `from`' },
      over: { value: duration, about: 'How long that takes' },
      threads,
    },
  },
  bursty: {
    about: 'Bursts in a fixed rhythm, the first at once. Nothing is made up for.',
    examples: ['bursty low=50m high=2 every=10s for=1s'],
    fields: bursts,
  },
  spiky: {
    about:
      'The same on average, but the time between two bursts is exponential: none foretells the next.',
    examples: ['spiky low=50m high=2 every=30s for=2s'],
    fields: { ...bursts, seed },
  },
  batch: {
    about:
      'A piece of work, and then the container ends. For Jobs in `steps`; a workload cannot have it.',
    examples: ['batch work=30s', 'batch work=10m threads=4 exit=1'],
    fields: {
      work: { value: duration, about: 'CPU time in all' },
      threads: { ...threads, about: 'How many CPUs it uses at a time; 1 if not said' },
      exit: { value: 'whole number, 0 to 255', about: 'The exit code; 0 if not said' },
    },
  },
  requests: {
    about:
      'Requests that arrive at random (a Poisson process), whether or not earlier ones are done, wait for a thread, and take CPU; latency follows from the CPU it gets. The only load with a latency. The rate is one number, or goes `to` another `over` some time, or swings up to a `peak` and back `every` so often, the lowest first.',
    examples: [
      'requests rate=50 cpu=8ms threads=4',
      'requests rate=50 to=200 over=10m cpu=8ms spread=exponential threads=4',
      'requests rate=50 peak=200 every=24h cpu=8ms spread=heavy threads=8 queue=100',
    ],
    fields: {
      rate: { value: 'number', about: 'Requests a second, to each pod' },
      to: { value: 'number', about: 'Requests a second at the end of a ramp; with `over`' },
      over: { value: duration, about: 'How long the ramp takes; then the rate stays' },
      peak: { value: 'number', about: 'Requests a second at the top of a wave; with `every`' },
      every: { value: duration, about: 'From one lowest point of the wave to the next' },
      ...service,
    },
  },
  recorded: {
    about:
      'A series from a CSV file, played again: with `cpu`, the CPU time of a request, requests per second to each pod; without it, cores of each pod. `spread`, `queue` and `seed` need `cpu`. A row is seconds and a figure, such as `300,12.5`; seconds increase and count from the first row, so timestamps will do, and each figure holds until the next row. A header `seconds,rate` or `seconds,cores` is optional; lines that begin with `#` are comments. A file has at most 100000 rows and 4 MiB. Only a scenario can name files: an annotation on a pod can play the recordings of the scenario that the cluster plays, and no others.',
    examples: [
      'recorded file=day.csv cpu=8ms threads=4',
      'recorded file=day.csv scale=0.5 speed=120 after=loop cpu=8ms spread=exponential queue=100',
      'recorded file=jobs.csv threads=4',
    ],
    fields: {
      file: {
        value: 'path without spaces',
        about:
          'The CSV file, relative to that of the scenario, or to the working directory for `-f -`',
      },
      scale: {
        value: factor,
        about: 'Factor on the figures, such as 0.25 for each of four pods; 1 if not said',
      },
      speed: {
        value: factor,
        about:
          'Recorded seconds per simulated second, such as 120 for a day in 12 minutes; figures stay as they are; 1 if not said',
      },
      after: {
        value: '`hold`, `loop`',
        about:
          'After the last row, which lasts as long as the one before it: its figure holds (the default), or the first row follows again',
      },
      ...service,
      threads: {
        ...threads,
        about:
          'Requests in work at a time, 1 if not said; of cores, on how many CPUs it can run at a time, as many as its peak needs if not said',
      },
    },
  },
}
