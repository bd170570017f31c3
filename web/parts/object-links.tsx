import type { ComponentChildren } from 'preact'

import { useHref } from '../live/page.ts'

type Props = {
  readonly name: string
  readonly children?: ComponentChildren
  /** Whether `j` and `k` stop here. */
  readonly isRow?: boolean
}

export function NodeLink({ name, children = name, isRow = false }: Props) {
  const href = useHref()
  return (
    <a href={href({ view: 'node', name })} {...(isRow ? { 'data-row': '' } : {})}>
      {children}
    </a>
  )
}

export function PodLink({ name, children = name, isRow = false }: Props) {
  const href = useHref()
  return (
    <a href={href({ view: 'pod', key: name })} {...(isRow ? { 'data-row': '' } : {})}>
      {children}
    </a>
  )
}
