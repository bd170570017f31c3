/**
 * A recorded series as people have it: text of two columns with a comma between, in each row since
 * when, in seconds, and a figure.
 *
 *   # requests per second at the gateway      a comment; empty lines are fine, too
 *   seconds,rate                              may be left out; `seconds,cores` for CPU
 *   1760000000,12.5                           seconds count from the first row, so any clock will do
 *   1760000300,14
 */
import { InvalidInput } from '../core/errors.ts'
import { type Recording, recordingOf } from '../core/replay.ts'
import { cut, visible } from '../core/visible.ts'

/** By the name that loads give: what `file=` says. */
export type Recordings = ReadonlyMap<string, Recording>

export const mostRows = 100_000
const mostFigure = 1_000_000_000
const mostSeconds = 366 * 86_400
/** Of a text that is repeated. */
const longestShown = 60

/** Faults name the document, and the line. */
export function parseRecording(text: string, name: string): Recording {
  let unit: Recording['unit']
  let first: number | undefined
  const [seconds, figures]: [number[], number[]] = [[], []]
  for (const [i, line] of text.split(/\r\n|\r|\n/).entries()) {
    const row = line.trim()
    if (row === '' || row.startsWith('#')) continue
    const refuse = (expected: string, got: string): never => {
      const shown = got === 'more' ? got : quote(got)
      throw new InvalidInput(`${name}: line ${i + 1}: expected ${expected}, got ${shown}`)
    }
    const cells = row.split(',').map(bare)
    if (first === undefined && unit === undefined && !cells.some(isNumber)) {
      unit =
        unitOf(cells) ??
        refuse('a row such as 300,12.5, or the header seconds,rate or seconds,cores', row)
      continue
    }
    if (cells.length !== 2) refuse('two columns, such as 300,12.5', row)
    if (figures.length === mostRows) refuse(`at most ${mostRows} rows`, 'more')
    const [second = '', figure = ''] = cells
    const at = isNumber(second) ? Number(second) : refuse('a number of seconds', second)
    first ??= at
    const since = toMillionths(at - first)
    if (since > mostSeconds) refuse(`at most ${mostSeconds} seconds after the first row`, second)
    const before = seconds.at(-1)
    if (before !== undefined && since <= before) {
      refuse('more seconds than in the row before', second)
    }
    const value = isNumber(figure) ? Number(figure) : NaN
    if (!(value >= 0 && value <= mostFigure)) refuse(`a number from 0 to ${mostFigure}`, figure)
    seconds.push(since)
    figures.push(Math.abs(toMillionths(value))) // there is a -0, by which one may not divide
  }
  if (figures.length === 0) {
    throw new InvalidInput(
      `${name}: expected rows of seconds and a figure, such as 300,12.5, got none`,
    )
  }
  return recordingOf({ unit, seconds, figures })
}

/** Some programs put every cell in quotes. */
const bare = (cell: string): string => cell.trim().replace(/^"(.*)"$/, '$1')

const isNumber = (text: string): boolean =>
  /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))

function unitOf([seconds = '', figure = '', ...others]: readonly string[]): Recording['unit'] {
  if (others.length > 0 || seconds.toLowerCase() !== 'seconds') return undefined
  const unit = figure.toLowerCase()
  return unit === 'rate' || unit === 'cores' ? unit : undefined
}

/** What no clock and no meter tells would only make sums lose their last digits. */
const toMillionths = (value: number): number => Math.round(value * 1e6) / 1e6

const quote = (text: string): string =>
  text === '' ? 'nothing' : `"${visible(cut(text, longestShown))}"`
