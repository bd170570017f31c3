import { ago, dateAndClock } from '../model/time.ts'

type Props = { readonly at: number; readonly now: number }

/** Relative, with the absolute on hover. */
export function When({ at, now }: Props) {
  return (
    <time dateTime={new Date(at).toISOString()} title={dateAndClock(at)}>
      {ago(at, now)}
    </time>
  )
}
