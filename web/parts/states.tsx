/** What stands in for a view that is not there: not yet, nothing to show, or not to be had. */
import type { ComponentChildren } from 'preact'

import type { Problem } from '../live/stream.ts'

/** As large as what will come, so that nothing jumps. */
export const Skeleton = () => (
  <div class="skeleton" aria-busy="true" aria-label="loading">
    <i class="bone bone-line" />
    <i class="bone bone-chart" />
    <i class="bone bone-line" />
    <i class="bone bone-line" />
    <i class="bone bone-line" />
  </div>
)

type EmptyProps = { readonly title: string; readonly children: ComponentChildren }

export const Empty = ({ title, children }: EmptyProps) => (
  <div class="empty">
    <p>
      <b>{title}</b>
    </p>
    <p class="muted">{children}</p>
  </div>
)

type FailedProps = { readonly what: string; readonly problem: Problem }

const remedies: Readonly<Record<number, string>> = {
  401: 'Open the page with the address that mbcas dashboard printed, or log in at the proxy.',
  403: 'The dashboard may not read this; deploy/rbac/dashboard.yaml has the rights that it needs.',
  404: 'It may be gone by now. The events tell what became of it; search finds its successors.',
}

export const Failed = ({ what, problem: { status, message } }: FailedProps) => (
  <div class="failed" role="alert">
    <p>
      <b>{`Cannot show ${what}`}</b>
    </p>
    <p>{message}</p>
    <p class="muted">
      {remedies[status] ?? 'The log of mbcas dashboard says more. This page keeps trying.'}
    </p>
  </div>
)

/** What the server could not learn. */
export const Troubles = ({ troubles }: { readonly troubles: readonly string[] }) =>
  troubles.length === 0 ? null : (
    <div class="troubles" role="status">
      <ul>
        {troubles.map((trouble) => (
          <li key={trouble}>{trouble}</li>
        ))}
      </ul>
    </div>
  )
