/** One line or one group of lines of a metric. What comes before the value is rendered once. */
export type Series = {
  /** Nothing before the first use. */
  readonly render: () => string
}

/** The start of a line: `head('_bucket', 'le="0.1"')` is `name_bucket{pod="a",le="0.1"} `. */
export type Head = (suffix: string, label?: string) => string

export class CounterSeries implements Series {
  readonly #name: string
  readonly #head: string
  #value = 0

  constructor(name: string, head: Head) {
    this.#name = name
    this.#head = head('')
  }

  inc(by = 1): void {
    if (!(by >= 0)) {
      throw new RangeError(`${this.#name}: expected an increase of 0 or more, got ${by}`)
    }
    this.#value += by
  }

  render(): string {
    return `${this.#head}${numeral(this.#value)}\n`
  }
}

export class GaugeSeries implements Series {
  readonly #head: string
  #value: number | undefined

  constructor(head: Head) {
    this.#head = head('')
  }

  set(value: number): void {
    this.#value = value
  }

  render(): string {
    return this.#value === undefined ? '' : `${this.#head}${numeral(this.#value)}\n`
  }
}

export class HistogramSeries implements Series {
  readonly #bounds: readonly number[]
  readonly #heads: readonly string[]
  readonly #sumHead: string
  readonly #countHead: string
  /** Of each bucket alone; the last is that above all bounds. */
  readonly #counts: number[]
  #sum = 0

  constructor(bounds: readonly number[], head: Head) {
    this.#bounds = bounds
    this.#heads = [...bounds, Infinity].map((bound) => head('_bucket', `le="${numeral(bound)}"`))
    this.#sumHead = head('_sum')
    this.#countHead = head('_count')
    this.#counts = this.#heads.map(() => 0)
  }

  observe(value: number): void {
    let bucket = 0
    // NaN is above all bounds, as in Prometheus' own clients.
    while (bucket < this.#bounds.length && !(value <= (this.#bounds[bucket] ?? 0))) bucket += 1
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sum += value
  }

  render(): string {
    let lines = ''
    let upTo = 0
    for (const [i, head] of this.#heads.entries()) {
      upTo += this.#counts[i] ?? 0
      lines += `${head}${upTo}\n`
    }
    if (upTo === 0) return ''
    return `${lines}${this.#sumHead}${numeral(this.#sum)}\n${this.#countHead}${upTo}\n`
  }
}

function numeral(value: number): string {
  if (value === Infinity) return '+Inf'
  return value === -Infinity ? '-Inf' : String(value)
}
