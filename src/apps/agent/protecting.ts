/** Holds back by quotas, for a while, who takes from those with a claim that suffer all the same. */
import {
  noProtection,
  type Protected,
  type Protection,
  protect,
} from '../../core/enforcement/protection.ts'
import { isHurt, isTaker } from '../../core/enforcement/standing.ts'
import { keyOfPod } from '../../core/pod-name.ts'
import type { AgentNeeds } from './agent.ts'
import { type Charge, holdingCeiling, isMovable, suffers } from './charge.ts'
import { whySuffering } from './highlights.ts'
import type { Kernel } from './kernel.ts'
import { messages } from './messages.ts'
import { hasOwnTarget, type SeenPod } from './seen-pod.ts'

type ProtectingNeeds = Pick<AgentNeeds, 'config' | 'clock' | 'log' | 'metrics'> & {
  readonly kernel: Kernel | undefined
  readonly charges: ReadonlyMap<string, Charge>
}

export type Protecting = {
  /** Over all that take part; looked at only while there is somebody to protect, or somebody held. */
  readonly look: (pods: readonly SeenPod[]) => void
  readonly isHeld: (uid: string) => boolean
}

export function createProtecting(needs: ProtectingNeeds): Protecting {
  const { config, clock, log, metrics, charges } = needs
  let protection: Protection = noProtection
  let protectedAt = clock.now()

  const look = (pods: readonly SeenPod[]): void => {
    const now = clock.now()
    const seconds = (now - protectedAt) / 1000
    protectedAt = now
    if (!config.guardrail.isOn || needs.kernel === undefined) return
    const { held, restSeconds, spells } = protection
    const isCalm = held.size === 0 && restSeconds === 0 && spells.size === 0
    if (isCalm && ![...charges.values()].some(suffers)) {
      protection = noProtection
      return
    }
    const members = pods.flatMap((seen): Protected[] => {
      const charge = charges.get(seen.uid)
      if (charge === undefined || !isMovable(seen, charge)) return []
      const { decision, standing } = charge
      const hasTarget = hasOwnTarget(seen) && standing.verdict.slowRatio !== undefined
      const isHelpless = holdingCeiling(charge) !== undefined
      return [
        {
          id: seen.uid,
          used: standing.used,
          entitled: decision.entitled,
          isHurt: !isHelpless && isHurt(standing, hasTarget),
          isLate: !isHelpless && hasTarget && (standing.verdict.slowRatio ?? 0) > 1,
          isTaker: isTaker(standing, { hasTarget, isStrict: decision.enforcement === 'strict' }),
        },
      ]
    })
    const before = protection
    protection = protect(before, members, seconds)
    const isOver = before.held.size === 0 && protection.held.size === 0
    if (isOver) return
    const hurt = members.flatMap(({ id, isHurt }) => (isHurt ? (charges.get(id) ?? []) : []))
    for (const seen of pods) tell(seen, { before, hurt })
  }

  type Around = { readonly before: Protection; readonly hurt: readonly Charge[] }

  const tell = (seen: SeenPod, { before, hurt }: Around): void => {
    const charge = charges.get(seen.uid)
    const [was, is] = [before.held.get(seen.uid), protection.held.get(seen.uid)]
    if (charge === undefined || was === is) return
    charge.standing = { ...charge.standing, heldTo: is }
    if (was !== undefined && is !== undefined) return
    const fields = { pod: keyOfPod(seen), to: is, used: charge.standing.used }
    if (is === undefined) log('info', messages.protectionEnded, fields)
    else {
      log('warn', messages.guardrailTriggered, { ...fields, reason: whyHurt(hurt) })
      metrics.protectedSomebody()
    }
  }

  return { look, isHeld: (uid) => protection.held.has(uid) }
}

const whyHurt = (hurt: readonly Charge[]): string =>
  hurt
    .map((charge) => `${keyOfPod(charge.decision.pod)} ${whySuffering(charge)}`)
    .slice(0, 3)
    .join('; ')
