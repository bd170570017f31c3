import { describe } from 'node:test'

import { cpu, decideEach, podWith, roomOf } from '../../../test/resizes.ts'
import type { Millicores, Millis } from '../units.ts'
import type { CpuBound, QuotaRoom } from './types.ts'

const has = [cpu('app', 100, 200)]
const more = [cpu('app', 150, 300)]
const quota = (of: 'request' | 'limit', left: number): QuotaRoom => ({
  quota: 'team',
  of,
  hard: 2000 as Millicores,
  used: (2000 - left) as Millicores,
})
const most = (max: number): CpuBound => ({
  limitRange: 'cpu',
  of: 'Container',
  min: undefined,
  max: max as Millicores,
  maxRatio: undefined,
})

void describe('core/resize/decide: towards what is desired', () => {
  decideEach([
    {
      name: 'it has it',
      on: { desired: has },
      gives: 'done Applied',
      says: 'has app: request 100m, limit 200m',
    },
    { name: 'nothing is asked', on: { desired: [] }, gives: 'done Applied' },
    {
      name: 'the kernel cannot tell it apart',
      on: { desired: [cpu('app', 100, 191)] },
      gives: 'done Applied',
    },
    {
      name: 'another amount',
      gives: 'resize Resizing',
      to: more,
      says: 'app: request 100m -> 150m, limit 200m -> 300m',
    },
    {
      name: 'only the limit',
      on: { desired: [cpu('app', undefined, 300)] },
      gives: 'resize Resizing',
      to: [cpu('app', undefined, 300)],
    },
    {
      name: 'of two containers the one that changes',
      pod: podWith([...has, cpu('log', 10, 20)]),
      on: { desired: [...more, cpu('log', 10, 20)] },
      gives: 'resize Resizing',
      to: more,
    },
    {
      name: 'actuated, but the spec asks for other: the spec is brought back',
      pod: podWith(more, { actuated: has }),
      on: { desired: has },
      gives: 'resize Resizing',
      to: has,
    },
    {
      name: 'a limit never below its request',
      on: { desired: [cpu('app', 150, 100)] },
      gives: 'resize Resizing',
      to: [cpu('app', 150, 150)],
      says: /a limit is never below its request: app: limit 150m instead of 100m/,
    },
    {
      name: 'a request never above a limit that stays',
      on: { desired: [cpu('app', 300)] },
      gives: 'resize Resizing',
      to: [cpu('app', 200)],
    },
    {
      name: 'a limit where there is none is not set',
      pod: podWith([cpu('app', 100)]),
      gives: 'resize Resizing',
      to: [cpu('app', 150)],
      says: /app has no limit and gets none/,
    },
    {
      name: 'which may leave nothing',
      pod: podWith([cpu('app', 100)]),
      on: { desired: [cpu('app', undefined, 300)] },
      gives: 'refuse Unsupported',
    },
    {
      name: 'of what changes, the part that the kernel cannot tell apart stays as it was written',
      pod: podWith([cpu('app', 100, 105)]),
      on: { desired: [cpu('app', 50, 108)] },
      gives: 'resize Resizing',
      to: [cpu('app', 50, 105)],
    },
    {
      name: 'recommending',
      on: { mode: 'recommend', desired: [cpu('app', 900, 900)] },
      gives: 'recommend Recommended',
      to: [],
      says: /recommend: app: request 100m -> 900m, limit 200m -> 900m/,
    },
  ])
})

void describe('core/resize/decide: what the kubelet has not done yet', () => {
  const asked = (state?: 'Deferred' | 'Infeasible' | 'InProgress' | 'Error') =>
    podWith(more, {
      actuated: has,
      pending: state && { state, message: 'its words', since: undefined },
    })
  decideEach([
    { name: 'it has said nothing', pod: asked(), gives: 'wait InProgress', again: 5000 },
    { name: 'it is at work', pod: asked('InProgress'), gives: 'wait InProgress' },
    {
      name: 'it has no room',
      pod: asked('Deferred'),
      gives: 'wait Deferred',
      says: 'the node has no room yet for app: request 150m, limit 300m, it says: its words',
    },
    { name: 'it never can', pod: asked('Infeasible'), gives: 'wait Infeasible' },
    { name: 'it failed', pod: asked('Error'), gives: 'wait ActuationError' },
    {
      name: 'another wish replaces one that waits',
      pod: asked('Deferred'),
      on: { desired: [cpu('app', 120, 240)] },
      gives: 'resize Resizing',
      to: [cpu('app', 120, 240)],
    },
    {
      name: 'the next step waits for the one before',
      pod: podWith([cpu('app', 100, 400)], { actuated: has }),
      on: { desired: [cpu('app', 100, 900)] },
      gives: 'wait InProgress',
    },
    {
      name: 'what is under way is not taken back for being a large step of one container',
      pod: podWith([...has, cpu('log', 10, 900)], { actuated: [...has, cpu('log', 10, 100)] }),
      on: { desired: [...more, cpu('log', 10, 900)] },
      gives: 'resize Resizing',
      to: more,
    },
    {
      name: 'what was refused is not asked for again',
      on: { infeasible: more },
      gives: 'refuse Infeasible',
      says: /^app: request 150m, limit 300m was refused; /,
    },
    {
      name: 'and keeps the name that it was refused by',
      on: { infeasible: more, refusal: { reason: 'NodeCapacity', message: 'too much' } },
      gives: 'refuse NodeCapacity',
      says: /was refused \(too much\)/,
    },
    { name: 'nor is more', on: { infeasible: [cpu('app', 140, 290)] }, gives: 'refuse Infeasible' },
    {
      name: 'where nothing was refused, all is asked',
      on: { infeasible: [] },
      gives: 'resize Resizing',
    },
    { name: 'but less is', on: { infeasible: [cpu('app', 160, 300)] }, gives: 'resize Resizing' },
  ])
})

void describe('core/resize/decide: what cuts it', () => {
  const four = [cpu('app', 400, 800)]
  const guardrail = { urgency: 'guardrail', desired: four } as const
  decideEach([
    {
      name: 'the step',
      on: { desired: four },
      gives: 'resize StepClamped',
      to: [cpu('app', 200, 400)],
      says: 'app: request 100m -> 200m, limit 200m -> 400m; a resize changes by a factor of 2 at most: app: request 200m instead of 400m, limit 400m instead of 800m',
      again: 5000,
    },
    {
      name: 'again after the cooldown, however long',
      on: { desired: four, rules: { cooldownMillis: 7000 as Millis, stepFactor: 2 } },
      gives: 'resize StepClamped',
      again: 7000,
    },
    { name: 'not that of the guardrail', on: guardrail, gives: 'resize Resizing', to: four },
    {
      name: 'the cooldown',
      on: { sinceResizeMillis: 1200 as Millis },
      gives: 'wait Cooldown',
      says: 'expected 5000 ms or more since the last resize, got 1200 ms; then app: request 100m -> 150m, limit 200m -> 300m',
      again: 3800,
    },
    { name: 'which is over', on: { sinceResizeMillis: 5000 as Millis }, gives: 'resize Resizing' },
    {
      name: 'and not for the guardrail',
      on: { ...guardrail, sinceResizeMillis: 0 as Millis },
      gives: 'resize Resizing',
    },
    {
      name: 'but for the little that a rule left over it holds the guardrail, too',
      on: {
        urgency: 'guardrail',
        sinceResizeMillis: 0 as Millis,
        desired: [cpu('app', 190, 200)],
        node: roomOf(4000, 3895),
      },
      gives: 'wait Cooldown',
    },
    {
      name: 'a LimitRange',
      on: { bounds: [most(250)] },
      gives: 'resize LimitRange',
      to: [cpu('app', 150, 250)],
      says: /LimitRange "cpu" wants of each container at most 250m: app: limit 250m instead of 300m/,
    },
    {
      name: 'a LimitRange that is reached',
      on: { bounds: [most(200)], desired: [cpu('app', 100, 300)] },
      gives: 'refuse LimitRange',
    },
    {
      name: 'a LimitRange that another container breaks',
      pod: podWith([...has, cpu('log', 10, 900)]),
      on: { bounds: [most(500)] },
      gives: 'refuse LimitRange',
      says: /but log would have a limit of 900m/,
    },
    {
      name: 'a new LimitRange is reached in one step, since the server takes nothing else',
      pod: podWith([cpu('app', 100, 1000)]),
      on: { bounds: [most(200)], desired: [cpu('app', 100, 900)] },
      gives: 'resize LimitRange',
      to: [cpu('app', 100, 200)],
    },
    {
      name: 'a new LimitRange does not restart a container',
      pod: podWith([...has, cpu('log', 10, 900)], { restarting: ['log'] }),
      on: { bounds: [most(500)], desired: [...more, cpu('log', 10, 900)] },
      gives: 'refuse RestartRequired',
    },
    {
      name: 'a quota of limits',
      on: { quotas: [quota('limit', 50)] },
      gives: 'resize ResourceQuota',
      to: [cpu('app', 150, 250)],
      says: /ResourceQuota "team" has 50m of limits left, of 2000m: app: limit 250m instead of 300m/,
    },
    {
      name: 'a request that a quota of limits cuts leaves its part of the requests to others',
      pod: podWith([cpu('app', 100, 100), cpu('log', 100, 200)]),
      on: {
        urgency: 'guardrail',
        quotas: [quota('request', 200), quota('limit', 100)],
        desired: [cpu('app', 500, 500), cpu('log', 300, 400)],
      },
      gives: 'resize ResourceQuota',
      to: [cpu('app', 160, 160), cpu('log', 240, 240)],
    },
    {
      name: 'a quota that is full',
      on: { quotas: [quota('request', 0)], desired: [cpu('app', 150)] },
      gives: 'refuse ResourceQuota',
    },
    {
      name: 'a quota that is over-full holds no fall',
      on: { quotas: [quota('request', -500)], desired: [cpu('app', 50)] },
      gives: 'resize Resizing',
      to: [cpu('app', 50)],
    },
    {
      name: 'the node',
      on: { ...guardrail, node: roomOf(1000, 650) },
      gives: 'resize NodeHeadroom',
      to: [cpu('app', 350, 800)],
      says: /node "node-1" has 250m left: of 1000m other pods keep 650m: app: request 350m instead of 400m/,
    },
    {
      name: 'a node that is full',
      on: { node: roomOf(1000, 950), desired: [cpu('app', 150)] },
      gives: 'wait NodeHeadroom',
      again: 30_000,
    },
    {
      name: 'a node that is full holds no limit',
      on: { node: roomOf(1000, 950), desired: [cpu('app', 100, 300)] },
      gives: 'resize Resizing',
      to: [cpu('app', 100, 300)],
    },
    {
      name: 'a node that is not known gives nothing',
      on: { node: undefined, desired: [cpu('app', 150)] },
      gives: 'wait NodeHeadroom',
      says: /the node is not known/,
    },
    {
      name: 'a node that is not known takes back',
      on: { node: undefined, desired: [cpu('app', 50)] },
      gives: 'resize Resizing',
    },
    {
      name: 'what one container gives, another gets only when it is given',
      pod: podWith([cpu('app', 100), cpu('log', 100)]),
      on: { node: roomOf(200, 0), desired: [cpu('app', 150), cpu('log', 50)] },
      gives: 'resize NodeHeadroom',
      to: [cpu('log', 50)],
    },
    {
      name: 'what is set aside counts until the node has it back',
      pod: podWith([cpu('app', 100), cpu('log', 50)], {
        allocated: [cpu('app', 300), cpu('log', 50)],
      }),
      on: { node: roomOf(370, 0), desired: [cpu('log', 100)] },
      gives: 'resize NodeHeadroom',
      to: [cpu('log', 70)],
    },
    {
      name: 'what the whole node has not is not meant',
      on: { ...guardrail, node: roomOf(4000, 0), desired: [cpu('app', 4001, 4001)] },
      gives: 'refuse NodeCapacity',
      says: /expected requests of at most 4000m, all that node "node-1" has, got 4001m/,
    },
    {
      name: 'a Guaranteed pod is cut as one',
      pod: podWith([cpu('app', 100, 100)], { qosClass: 'Guaranteed' }),
      on: { managesGuaranteed: true, node: roomOf(4000, 3845), desired: [cpu('app', 200, 200)] },
      gives: 'resize NodeHeadroom',
      to: [cpu('app', 150, 150)],
    },
    {
      name: 'a request that the node cuts takes its limit along, by ratio',
      on: {
        ...guardrail,
        node: roomOf(4000, 3850),
        bounds: [{ ...most(9000), max: undefined, maxRatio: 2 }],
      },
      gives: 'resize LimitRange',
      to: [cpu('app', 150, 300)],
    },
    {
      name: 'a cut that would make it Guaranteed stops short of it',
      pod: podWith(has, { memoryIsGuaranteed: true }),
      on: { quotas: [quota('limit', 0)], desired: [cpu('app', 200, 400)] },
      gives: 'resize ResourceQuota',
      to: [cpu('app', 199, 200)],
    },
  ])
})
