import { useState } from 'preact/hooks'

import { keepTheme, keptTheme, type Theme, themes } from '../live/theme.ts'

const signs: Readonly<Record<Theme, string>> = { system: '◐', light: '○', dark: '●' }

/** `onChange`: charts have to be drawn anew. */
export function ThemeSwitch({ onChange }: { readonly onChange: (theme: Theme) => void }) {
  const [theme, setTheme] = useState(keptTheme)
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  const turn = (): void => {
    keepTheme(next)
    setTheme(next)
    onChange(next)
  }
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={`theme: ${theme}; change to ${next}`}
      title={`Theme: ${theme}`}
      onClick={turn}
    >
      {signs[theme]}
    </button>
  )
}
