/** A whole terminal, while a program has it. */
export type Screen = {
  readonly size: () => ScreenSize
  /** Replaces all that is shown. */
  readonly draw: (lines: readonly string[]) => void
  /** Brings back what was there before. */
  readonly close: () => void
}

export type ScreenSize = { readonly columns: number; readonly rows: number }

export type ScreenEvents = {
  /** One key at a time: a character, or a name such as `up`. */
  readonly onKey: (key: string) => void
  readonly onResize: () => void
}

export type OpenScreen = (events: ScreenEvents) => Screen
