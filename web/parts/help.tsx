import { useEffect, useRef } from 'preact/hooks'

const keys: readonly (readonly [string, string])[] = [
  ['/', 'search nodes and pods'],
  ['j  k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['Esc', 'up: from a pod to its node, from a node to the cluster'],
  ['+  −', 'zoom in and out'],
  ['p', 'pause, or back to now'],
  ['?', 'this help'],
]

const gestures: readonly (readonly [string, string])[] = [
  ['drag', 'in a chart: zoom into that time; the page then stands still'],
  ['double-click', 'in a chart: back from the zoom'],
]

type Props = { readonly isOpen: boolean; readonly onClose: () => void }

export function Help({ isOpen, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title">Keys</h2>
      <dl>
        {[...keys, ...gestures].map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}
