/** What README and docs claim, what shows it, and what that does not show. Figures of real runs carry their day. */

export type Claim = {
  readonly claim: string
  /** Where it is said. */
  readonly said: string
  readonly figure: string
  /** A command, or a test that CI runs. */
  readonly shownBy: string
  /** Of the measurement; `every run` where CI holds it. */
  readonly on: string
  readonly not: string
}

const EVERY_RUN = 'every run of CI'
const DAY = '19 November 2026'

export const claims: readonly Claim[] = [
  {
    claim: 'The market is cleared exactly, with one price and a reason for every pod',
    said: 'README.md',
    figure:
      'agrees with a convex solver, exact fractions and brute force on every stored and fresh market',
    shownBy: 'node scripts/test.mjs core/market real/fresh-oracles',
    on: EVERY_RUN,
    not: 'That this is the objective you want: docs/guide/market.md says what it maximises',
  },
  {
    claim: 'A pod within what it requested goes first',
    said: 'README.md',
    figure:
      'p99 of a service beside a hog, to the service alone: 1.17 (1.10 to 1.25); to no limits 0.65 (0.57 to 0.73)',
    shownBy: 'npm run bench -- kernel --scenes beside-hog',
    on: DAY,
    not: 'Other kernels and more CPUs than two; a service above its request, or beside a mate with a latency target, has no such right',
  },
  {
    claim: 'Bursts of servers that nobody here wrote come near weights set by hand',
    said: 'docs/guide/agent.md',
    figure:
      'p99 of bursts 5 to 11 % of no limits, at most 1.3 times weights by hand, but waking-hog (9.21) and Redis (1.77)',
    shownBy: 'npm run bench -- programs --arm no-limits,by-hand,mbcas --seconds 13',
    on: DAY,
    not: 'Redis: its own cost doubled during the run. A steady nginx does not come to half of no limits (0.56)',
  },
  {
    claim: 'A controller resizes requests in place, without a restart',
    said: 'README.md',
    figure: '0 restarts on a real kubelet',
    shownBy: 'node scripts/test.mjs real/controller-real real/elastic-real',
    on: EVERY_RUN,
    not: 'Containers whose own resizePolicy asks for a restart',
  },
  {
    claim: 'Tenants who forge targets, weights or many pods take nothing that others requested',
    said: 'docs/guide/cluster.md',
    figure: 'six attacks: p99 of the victim within 1.15 of static limits',
    shownBy: 'node scripts/test.mjs e2e/greedy-tenants',
    on: EVERY_RUN,
    not: 'Waiting inside a time slice: the embedded kernel has none',
  },
  {
    claim: 'A ceiling that a person sets holds at once',
    said: 'docs/guide/agent.md',
    figure: 'in the kernel within 264 ms on a real node (8 of 8)',
    shownBy: 'node scripts/test.mjs real/elastic-real e2e/agent-kernel',
    on: DAY,
    not: 'A new pod: its ceiling holds from its first clearing, about two seconds after it starts',
  },
  {
    claim: 'What a kubelet writes at a resize does not cost the pod its place',
    said: 'docs/guide/agent.md',
    figure: 'put right within 30 ms',
    shownBy: 'node scripts/test.mjs e2e/agent-kernel agent/mending',
    on: EVERY_RUN,
    not: 'A quota that the kubelet raises after the weight: that is put right within a second',
  },
  {
    claim:
      'Services miss fewer targets than under VPA with eight days of history, at less CPU requested',
    said: 'docs/guide/vpa.md',
    figure:
      'targets missed by gateway, worker A and worker B, in %: 1.1, 1.1, 0.8; VPA 2.8, 1.3, 33.7; no limits 0.3, 2.1, 3.4; static limits 0.2, 33.6, 18.5. Cores requested 1.36; VPA 2.09, others 1.50',
    shownBy: 'npm run bench -- vpa',
    on: DAY,
    not: 'Days: a pass lasts 75 s. The gateway is behind no limits and static limits, within chance over five repeats',
  },
  {
    claim: 'The agent is small',
    said: 'docs/guide/agent.md',
    figure: 'beside 110 pods 20 millicores and 65 MB on Node 20; 16 and 72 on Node 24',
    shownBy: 'npm run bench -- agent --minutes 1',
    on: DAY,
    not: 'Nodes with more pods, or sampling faster than four times a second',
  },
]
