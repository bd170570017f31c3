export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** A constant lower-case message, values in fields. */
export type Log = (
  level: LogLevel,
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void
