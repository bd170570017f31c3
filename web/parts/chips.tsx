import { usePage } from '../live/page.ts'
import { whole } from '../model/format.ts'

type Props<Name extends string> = {
  readonly label: string
  readonly options: readonly Name[]
  readonly counts: ReadonlyMap<Name, number>
}

/** A filter: none pressed means all. It is in the address. */
export function Chips<Name extends string>({ label, options, counts }: Props<Name>) {
  const { address, change } = usePage()
  const { only } = address
  const toggle = (name: Name): void =>
    change({ only: only.includes(name) ? only.filter((n) => n !== name) : [...only, name] })
  return (
    <div class="chips" role="group" aria-label={`only these ${label}`}>
      {options.map((name) => (
        <button
          key={name}
          type="button"
          class="chip"
          aria-pressed={only.includes(name)}
          onClick={() => toggle(name)}
        >
          {name} <span class="muted">{whole(counts.get(name) ?? 0)}</span>
        </button>
      ))}
    </div>
  )
}
