import { useLayoutEffect } from 'preact/hooks'

/** What a key does, by its name in the browser; not while something is typed. */
export type Keys = Readonly<Record<string, () => void>>

export function useKeys(keys: Keys): void {
  // With what is shown, not a moment later: a key means what is on the screen.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const action = keys[event.key]
      if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof Element && event.target.closest('input, select, dialog')) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

/** Moves the focus among the rows on the page: elements with `data-row`. */
export function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const now = rows.findIndex((row) => row === document.activeElement)
  const next = now === -1 ? (step === 1 ? 0 : rows.length - 1) : now + step
  rows[next]?.focus()
}
