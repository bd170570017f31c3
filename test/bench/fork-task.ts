import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Measures in a process of its own, so that nothing before it counts; one question, one answer. */
export async function forkTask<Answer>(
  script: URL,
  question: object,
  execArgv: readonly string[] = [],
): Promise<Answer> {
  const child = fork(fileURLToPath(script), { execArgv: [...execArgv] })
  return new Promise<Answer>((resolve, reject) => {
    child.once('message', (answer: Answer) => resolve(answer))
    child.once('exit', (code) => reject(new Error(`${script.pathname} ended with ${code}`)))
    child.send(question)
  })
}

/** The other side. */
export function answerTask(measure: (asked: never) => Promise<unknown>): void {
  process.on('message', (asked) => {
    void measure(asked as never).then((answer) =>
      process.send?.(answer, () => process.disconnect()),
    )
  })
}
