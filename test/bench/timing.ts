/**
 * Times rivals side by side: in every round each has its turn, and who begins rotates, so that what
 * else the machine does hits all alike. A turn of a quick one is many calls, as the clock reads in
 * microseconds. Garbage is left to be collected where it falls due: who makes it mostly pays for it.
 */
export type Rival<Name extends string> = {
  readonly name: Name
  /** `call` counts up, so that a rival can take another input each time. */
  readonly run: (call: number) => unknown
}

/** Milliseconds a call: the mean of all calls, and that of the best turn. */
export type Timing = { readonly mean: number; readonly best: number }

const warmUp = { millis: 100, calls: 2 }
const turnMillis = 4
const fewestRounds = 3

/** Kept so that no call can be left out as unused. */
export let lastResult: unknown

export function race<Name extends string>(
  rivals: readonly Rival<Name>[],
  budgetMillis: number,
): Record<Name, Timing> {
  const lanes = rivals.map((rival) => ({
    ...rival,
    callsATurn: Math.max(1, Math.round(turnMillis / warm(rival))),
    calls: 0,
    millis: 0,
    best: Infinity,
  }))
  const end = performance.now() + budgetMillis
  for (let round = 0; round < fewestRounds || performance.now() < end; round++) {
    for (let turn = 0; turn < lanes.length; turn++) {
      const lane = lanes[(round + turn) % lanes.length]
      if (lane === undefined) continue
      const { run, callsATurn } = lane
      const start = performance.now()
      for (let call = 0; call < callsATurn; call++) lastResult = run(lane.calls + call)
      const millis = performance.now() - start
      lane.calls += callsATurn
      lane.millis += millis
      lane.best = Math.min(lane.best, millis / callsATurn)
    }
  }
  const timings = lanes.map(({ name, millis, calls, best }) => [
    name,
    { mean: millis / calls, best },
  ])
  return Object.fromEntries(timings) as Record<Name, Timing>
}

/** Runs until the compiler has had time to optimise; what a call took in the later half. */
function warm({ run }: Rival<string>): number {
  const start = performance.now()
  let half = start
  let callsToHalf = 0
  let calls = 0
  let now = start
  while (calls < warmUp.calls || now - start < warmUp.millis) {
    lastResult = run(calls++)
    now = performance.now()
    if (now - start < warmUp.millis / 2) [half, callsToHalf] = [now, calls]
  }
  return (now - half) / (calls - callsToHalf)
}

/** `1.23 us`, `45.6 ms`: three significant digits. */
export function showMillis(millis: number): string {
  const [value, unit] = millis < 1 ? [millis * 1000, 'us'] : [millis, 'ms']
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${value.toFixed(digits)} ${unit}`
}
