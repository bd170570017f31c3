import { usePage } from '../live/page.ts'

const choices = { held: 'what pods get', used: 'what pods use' } as const

/** What the bands of a node's chart show. */
export function BandsSwitch() {
  const { address, change } = usePage()
  return (
    <div class="chips" role="group" aria-label="the bands show">
      {(['held', 'used'] as const).map((bands) => (
        <button
          key={bands}
          type="button"
          class="chip"
          aria-pressed={address.bands === bands}
          onClick={() => change({ bands })}
        >
          {choices[bands]}
        </button>
      ))}
    </div>
  )
}
