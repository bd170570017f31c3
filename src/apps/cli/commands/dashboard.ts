import type { Command } from 'commander'

import { addConnectionFlags, addExamples, addLogFlag, type Run, runs } from './shared.ts'

export function addDashboard(program: Command, run: Run): void {
  const dashboard = program
    .command('dashboard')
    .description('Serve a page to watch a cluster; it reads and never writes')
  addConnectionFlags(dashboard)
    .option('--listen <address>', 'where to serve it', '127.0.0.1:8088')
    .option('--token-file <file>', 'ask readers for the token in this file')
    .option(
      '--trust-proxy-header <name>',
      'let in whom a reverse proxy names in this header, such as X-Forwarded-User',
    )
    .option(
      '--open',
      'let in everybody who reaches the address; without it, a token or a header only loopback is taken',
      false,
    )
  addExamples(
    runs(addLogFlag(dashboard), run),
    { command: 'mbcas dashboard', about: 'of the current context, at http://127.0.0.1:8088' },
    {
      command: 'mbcas dashboard --listen :8088 --token-file /etc/mbcas/token',
      about: 'for others, who need the token',
    },
  )
}
