/** Light or dark: the system's, unless somebody chose here. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const place = 'mbcas.theme'

export function keptTheme(): Theme {
  const kept = localStorage.getItem(place)
  return themes.find((theme) => theme === kept) ?? 'system'
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function keepTheme(theme: Theme): void {
  localStorage.setItem(place, theme)
  applyTheme(theme)
}
