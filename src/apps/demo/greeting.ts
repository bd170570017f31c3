/** What a person is told who has just started the demo. */
import type { ScenarioFile } from '../../apis/scenario-file.ts'
import { visibleLines } from '../../core/visible.ts'

export type Started = {
  readonly name: string
  readonly scenario: Pick<ScenarioFile, 'about' | 'workloads'>
  readonly speed: number | 'max'
  readonly url: string
  readonly kubeconfig: string
}

export function greeting({ name, scenario, speed, url, kubeconfig }: Started): string {
  const pace =
    speed === 1
      ? 'in real time'
      : speed === 'max'
        ? 'as fast as it can'
        : `${speed} times as fast as real time`
  return visibleLines(
    [
      `${name}, ${pace}; Ctrl-C ends it.`,
      ...(scenario.about === '' ? [] : [scenario.about]),
      '',
      `Watch it:  ${url}`,
      '',
      'Ask it, in another terminal:',
      `  export KUBECONFIG=${kubeconfig}`,
      '  kubectl get nodemarkets',
      '  kubectl get podallocations -A',
      `  ${lastCommand(scenario)}`,
    ].join('\n'),
  )
}

/** Somebody becomes greedy, and the market answers; without workloads there is nobody to name. */
function lastCommand({ workloads }: Started['scenario']): string {
  const last = workloads.at(-1)
  if (last === undefined) return 'kubectl top pods -A'
  const { name, namespace } = last
  return `kubectl annotate pod -n ${namespace} -l app=${name} --overwrite sim.mbcas.io/load='steady cpu=2'`
}
