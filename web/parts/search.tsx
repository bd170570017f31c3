/** Finds nodes and pods by a part of their names: `/`, type, arrows, Enter. */
import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

import type { Found } from '../../src/apis/dashboard.ts'
import { getJson } from '../live/get-json.ts'
import { usePage } from '../live/page.ts'
import { goTo, type Place } from '../model/address.ts'
import { whole } from '../model/format.ts'

type Choice = { readonly name: string; readonly note: string; readonly place: Place }

/** Not every letter is worth a question. */
const PAUSE_MILLIS = 120

const choicesOf = ({ nodes, pods }: Found): readonly Choice[] => [
  ...nodes.map((name): Choice => ({ name, note: 'node', place: { view: 'node', name } })),
  ...pods.map(({ key, node }): Choice => ({ name: key, note: node, place: { view: 'pod', key } })),
]

export function Search({ input }: { readonly input: RefObject<HTMLInputElement | null> }) {
  const { address, change } = usePage()
  const [text, setText] = useState('')
  const [found, setFound] = useState<Found>()
  const [chosen, setChosen] = useState(0)
  const [isFocused, setFocused] = useState(false)
  const choices = found === undefined ? [] : choicesOf(found)
  const isOpen = isFocused && text !== '' && found !== undefined

  useEffect(() => {
    setChosen(0)
    if (text === '') return setFound(undefined)
    const leaving = new AbortController()
    const ask = async (): Promise<void> => {
      try {
        setFound(await getJson<Found>(`api/search?q=${encodeURIComponent(text)}`, leaving.signal))
      } catch {
        // Typed on, or disconnected, which the page says already.
      }
    }
    const timer = setTimeout(() => void ask(), PAUSE_MILLIS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [text])

  const leave = (): void => {
    setText('')
    input.current?.blur()
  }
  const open = ({ place }: Choice): void => {
    leave()
    change(goTo(address, place))
  }
  const press = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setChosen(Math.max(0, Math.min(choices.length - 1, chosen + step)))
    }
    const choice = choices[chosen]
    if (event.key === 'Enter' && choice !== undefined) open(choice)
    if (event.key === 'Escape') leave()
  }

  return (
    <div class="search" role="search">
      <input
        ref={input}
        type="text"
        placeholder="Search nodes and pods   /"
        aria-label="search nodes and pods"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls="found"
        aria-autocomplete="list"
        aria-activedescendant={isOpen && choices.length > 0 ? `found-${chosen}` : undefined}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget: { value } }) => setText(value)}
        onKeyDown={press}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      />
      <div class={isOpen ? 'found' : 'found is-hidden'}>
        <ul id="found" role="listbox" aria-label="found">
          {choices.map((choice, i) => (
            <li
              key={`${choice.note} ${choice.name}`}
              id={`found-${i}`}
              role="option"
              aria-selected={i === chosen}
              onMouseDown={() => open(choice)}
            >
              {choice.name} <span class="muted">{choice.note}</span>
            </li>
          ))}
        </ul>
        {isOpen && choices.length === 0 && <p class="muted">Nothing has this in its name.</p>}
        {isOpen && found.left > 0 && <p class="muted">{`and ${whole(found.left)} more`}</p>}
      </div>
    </div>
  )
}
