import { type Command, Option } from 'commander'

import { addConnectionFlags, addExamples, type Run, runs } from './shared.ts'

export function addVersion(program: Command, run: Run): void {
  const version = program
    .command('version')
    .description('The version of this program and, if asked, of the cluster')
    .option('--server', 'ask the cluster, too', false)
    .addOption(
      new Option('-o, --output <format>', 'how to print it')
        .choices(['table', 'json', 'yaml'])
        .default('table'),
    )
  addExamples(
    runs(addConnectionFlags(version), run),
    { command: 'mbcas version', about: 'of this program' },
    {
      command: 'mbcas version --server',
      about: 'also of the cluster, and what is installed there',
    },
  )
}
