/** One line of figures: the answer at a glance. */
export type Figure = {
  readonly name: string
  readonly value: string
  readonly note?: string | undefined
  /** What it is, on hover. */
  readonly about: string
  readonly isBad?: boolean
}

export const Figures = ({ figures }: { readonly figures: readonly Figure[] }) => (
  <dl class="figures">
    {figures.map(({ name, value, note, about, isBad = false }) => (
      <div key={name} title={about} class={isBad ? 'figure is-bad' : 'figure'}>
        <dt>{name}</dt>
        <dd>
          {value}
          {note !== undefined && <small>{note}</small>}
        </dd>
      </div>
    ))}
  </dl>
)
