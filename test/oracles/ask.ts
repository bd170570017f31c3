/** Asks a program that `npm run real:setup` builds: a question a line in JSON, and an answer a line. */
import { run } from '../run.ts'

export async function askOracle<Answer>(
  oracle: string,
  questions: readonly unknown[],
): Promise<readonly Answer[]> {
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join('')
  const { code, stdout, stderr } = await run(oracle, [], { input })
  if (code !== 0) throw new Error(`asking ${oracle}: ${stderr}`)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer)
}
