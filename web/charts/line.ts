import type { Token } from './colours.ts'

export type Values = readonly (number | null)[]

/** One series of a chart. */
export type Line = {
  readonly name: string
  readonly values: Values
  /** A token of the style sheet, or a colour as it is. */
  readonly colour: Token | `#${string}`
  readonly write: (value: number | null | undefined) => string
  /** `area`: filled below; `band`: filled below, without a line; `steps`: it holds until it changes. */
  readonly shape?: 'area' | 'band' | 'steps' | 'dashes'
}

/** A moment with a name, such as the start of a phase. */
export type Mark = { readonly at: number; readonly name: string }
