/**
 * A recorded series and how it is played again. Each figure holds until the next row: what monitoring
 * stores are means over an interval, and a straight line between two of them would be a guess.
 *
 * `momentOf` inverts the sum of the figures over time. Requests that come when the sum reaches the
 * points of a Poisson process of rate 1 are a Poisson process of the recorded rate (time change;
 * Çinlar, Introduction to Stochastic Processes, 1975, 4.7). So a request costs O(log rows), however
 * long nothing happens and however far the peak is above the mean; thinning would draw peak/mean
 * candidates for each.
 *
 *   rows 0 s: 2, 10 s: 0, 20 s: 4; the last one holds, or all begin anew after 30 s
 *   second      figure held, looped    count   moment held, looped
 *   5           2, 2                   10      5 s, 5 s
 *   35          4, 2                   20      10 s, 10 s
 *   55          4, 4                   24      21 s, 21 s
 *                                      70      32.5 s, 35 s
 */
export type Recording = {
  /** What the figures are, if the recording says so: requests per second, or cores. */
  readonly unit: 'rate' | 'cores' | undefined
  /** When each row begins: 0, and then ever more. */
  readonly seconds: readonly number[]
  readonly figures: readonly number[]
  /** Figures times seconds before each row. */
  readonly sums: readonly number[]
  /** Seconds until it may begin anew: the last row lasts as long as the one before it. */
  readonly lasts: number
  readonly peak: number
}

export type Replay = {
  readonly recording: Recording
  /** Of the figures. */
  readonly scale: number
  /** Recorded seconds per played second. */
  readonly speed: number
  /** After the last row: it holds, or all begin anew. */
  readonly after: 'hold' | 'loop'
}

type Series = Pick<Recording, 'unit' | 'seconds' | 'figures'>

/** Expects a row at least, and the first one at 0. */
export function recordingOf({ unit, seconds, figures }: Series): Recording {
  const sums = [0]
  let [sum, peak] = [0, 0]
  for (const [i, figure] of figures.entries()) {
    peak = Math.max(peak, figure)
    if (i === 0) continue
    sum += (figures[i - 1] ?? 0) * ((seconds[i] ?? 0) - (seconds[i - 1] ?? 0))
    sums.push(sum)
  }
  const [last = 0, before] = [seconds.at(-1), seconds.at(-2)]
  // One row says the same for ever.
  const lasts = before === undefined ? Infinity : 2 * last - before
  return { unit, seconds, figures, sums, lasts, peak }
}

export const isLooped = ({ recording, after }: Replay): boolean =>
  after === 'loop' && recording.lasts < Infinity

export const peakOf = ({ recording, scale }: Replay): number => recording.peak * scale

/** The figure at a moment, in seconds since it began to be played. */
export function figureAt(replay: Replay, moment: number): number {
  const { recording, scale, speed } = replay
  const { seconds, figures, lasts } = recording
  const second = moment * speed
  const within = isLooped(replay) ? second % lasts : second
  return (figures[Math.max(0, countOf(seconds, (start) => start <= within) - 1)] ?? 0) * scale
}

/** Seconds since it began to be played until the sum of what it says has come to `count`; never is Infinity. */
export function momentOf(replay: Replay, count: number): number {
  const { recording, scale, speed } = replay
  if (recording.peak === 0) return Infinity
  const sum = (count * speed) / scale
  const { sums, figures, lasts } = recording
  if (!isLooped(replay)) return secondOf(recording, sum) / speed
  const round =
    (sums.at(-1) ?? 0) + (figures.at(-1) ?? 0) * (lasts - (recording.seconds.at(-1) ?? 0))
  const rounds = Math.floor(sum / round)
  return (rounds * lasts + secondOf(recording, sum - rounds * round)) / speed
}

/** In the row during which the sum is reached: after rows of 0 it is not yet, and never in one. */
function secondOf({ seconds, figures, sums }: Recording, sum: number): number {
  const aim = Math.max(sum, Number.MIN_VALUE)
  const row = countOf(sums, (before) => before < aim) - 1
  return (seconds[row] ?? 0) + (aim - (sums[row] ?? 0)) / (figures[row] ?? 0)
}

/** How many of a row of numbers, from the first on, are so; those after them are not (bisection). */
function countOf(numbers: readonly number[], isSo: (one: number) => boolean): number {
  let [from, to] = [0, numbers.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (isSo(numbers[middle] ?? 0)) from = middle + 1
    else to = middle
  }
  return from
}
