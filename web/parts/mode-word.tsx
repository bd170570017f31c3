import type { NodeMode } from '../model/trouble.ts'

/** The colour helps, the sign and the word tell. */
const signs: Readonly<Record<NodeMode, string>> = {
  uncongested: '●',
  congested: '▲',
  overloaded: '■',
  unknown: '?',
}

export const ModeWord = ({ mode }: { readonly mode: NodeMode }) => (
  <span class={`mode mode-${mode}`}>
    <span aria-hidden="true">{signs[mode]}</span> {mode}
  </span>
)
