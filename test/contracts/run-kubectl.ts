import { execFile } from 'node:child_process'

import type { ContractServer, Ended } from './case.ts'

/** A discovery cache of its own: the usual one may be of another server at the same address. */
export const kubectlOf =
  (at: {
    readonly binary: string
    readonly kubeconfig: string
    readonly cache: string
  }): NonNullable<ContractServer['kubectl']> =>
  async (args, input) => {
    const own = ['--kubeconfig', at.kubeconfig, '--cache-dir', at.cache]
    return new Promise<Ended>((resolve) => {
      const child = execFile(
        at.binary,
        [...own, ...args],
        { maxBuffer: 1 << 28, timeout: 300_000 },
        (error, out, err) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
          resolve({ code, out, err })
        },
      )
      child.stdin?.on('error', () => {}) // it may end before it has read everything
      child.stdin?.end(input)
    })
  }
