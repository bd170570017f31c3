import type { ArmResult, WorkloadResult } from '../../src/apis/dashboard.ts'
import { latency, ratio } from '../model/format.ts'

/** How each workload fared under each arm. */
export function WorkloadTable({ arms }: { readonly arms: readonly ArmResult[] }) {
  const names = [...new Set(arms.flatMap(({ workloads }) => workloads.map(({ name }) => name)))]
  const resultOf = (arm: ArmResult, name: string): WorkloadResult | undefined =>
    arm.workloads.find((workload) => workload.name === name)
  return (
    <div class="wide" tabIndex={0} role="region" aria-label="workloads under each arm">
      <table class="measures">
        <thead>
          <tr>
            <th scope="col">Workload</th>
            {arms.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {arms.map((arm) => (
                <td key={arm.name} class="fate">
                  <Fate result={resultOf(arm, name)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Fate({ result }: { readonly result: WorkloadResult | undefined }) {
  if (result === undefined) return <>–</>
  const { sloViolationRatio, p99Millis, targetMillis, throttledRatio, usedCores, demandedCores } =
    result
  const used = `${usedCores.toFixed(2)} of ${demandedCores.toFixed(2)} cores`
  if (targetMillis === undefined) return <>{`${used}, throttled ${ratio(throttledRatio)}`}</>
  return (
    <>
      {`missed ${ratio(sloViolationRatio)}, p99 ${latency(p99Millis)} of ${latency(targetMillis)}`}
      <small>{`${used}, throttled ${ratio(throttledRatio)}`}</small>
    </>
  )
}
