/** The pod template that workloads have in common: its defaults, and what is wrong with it. */
import { type LabelSelector, matchesLabels } from '../../label-selector.ts'
import type { ApiObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import { defaultPod } from './pod/defaults.ts'
import type { Container, Pod, PodSpec } from './pod/types.ts'
import { checkTemplateSpec } from './pod/validate-spec.ts'
import { warnOfName, warnOfSpec } from './pod/warnings.ts'
import { changed, forbiddenField, required, unsupported, wrong } from './validate/field-errors.ts'
import {
  checkLabels,
  checkSelector,
  isEmptySelector,
  type Labels,
  shownLabels,
  shownSelector,
} from './validate/labels.ts'

export type Template = {
  readonly metadata?: { readonly labels?: Labels; readonly annotations?: Labels }
  readonly spec?: PodSpec
}
export type Templated = { readonly selector?: LabelSelector; readonly template?: Template }

const asPod = ({ metadata, spec }: Template): Pod =>
  ({ metadata: metadata ?? {}, spec: { ...spec, containers: spec?.containers ?? [] } }) as Pod

/** As pods, but for what is only set when a pod is made of it: requests from limits, ports of the host, service links. */
export function fillTemplate(template: Template = {}): Template {
  const { enableServiceLinks: _, ...spec } = defaultPod(asPod(template)).spec
  const given = template.spec
  const asGiven = (lists: 'containers' | 'initContainers') =>
    spec[lists]?.map((container, index) => ({
      ...container,
      ...(container.ports && {
        ports: hostPortsOf(container.ports, given?.[lists]?.[index]?.ports),
      }),
      resources: given?.[lists]?.[index]?.resources ?? {},
    }))
  const initContainers = asGiven('initContainers')
  return {
    metadata: {},
    ...template,
    spec: {
      ...spec,
      ...(given?.enableServiceLinks !== undefined && {
        enableServiceLinks: given.enableServiceLinks,
      }),
      containers: asGiven('containers') ?? [],
      ...(initContainers && { initContainers }),
    },
  }
}

type Ports = NonNullable<Container['ports']>

const hostPortsOf = (filled: Ports, given: Ports = []): Ports =>
  filled.map((port, index) => {
    const { hostPort: _, ...rest } = port
    return given[index]?.hostPort === undefined ? rest : port
  })

export const mismatch = (labels: Labels | undefined): FieldError =>
  wrong(
    'spec.template.metadata.labels',
    shownLabels(labels),
    '`selector` does not match template `labels`',
  )

export const changedSelector = (next: Templated, old: Templated): FieldError[] =>
  changed('spec.selector', {
    next: shownSelector(next.selector),
    old: shownSelector(old.selector),
  })

export const checkTemplate = (template: Template): FieldError[] => [
  ...checkLabels(template.metadata?.labels, 'spec.template.labels'),
  ...checkTemplateSpec(asPod(template).spec, 'spec.template.spec'),
]

export const warnOfTemplate = ({ spec }: ApiObject): string[] => {
  const { template = {} } = (spec ?? {}) as Templated
  return warnOfSpec(asPod(template).spec, 'spec.template.spec')
}

/** The names of some workloads are in those of their pods, and so in host names. */
export const warnOfWorkload = (object: ApiObject): string[] => [
  ...warnOfName(object.metadata.name, 'Pod names and hostnames'),
  ...warnOfTemplate(object),
]

/** Of kinds that run their pods for good. */
export function checkTemplated(
  { selector, template = {} }: Templated,
  { kind, says = kind }: { readonly kind: 'ReplicaSet' | 'DaemonSet'; readonly says?: string },
): FieldError[] {
  const { labels } = template.metadata ?? {}
  const { restartPolicy, activeDeadlineSeconds } = template.spec ?? {}
  const errors = checkSelector(selector, 'spec.selector')
  const isUsable = errors.length === 0
  if (selector === undefined && kind === 'ReplicaSet') errors.push(required('spec.selector'))
  if (selector !== undefined && isEmptySelector(selector))
    errors.push(
      wrong('spec.selector', shownSelector(selector), `empty selector is invalid for ${says}`),
    )
  else if (isUsable && !matchesLabels(selector, labels)) errors.push(mismatch(labels))
  if (!isUsable && kind === 'ReplicaSet')
    return [...errors, wrong('spec.selector', shownSelector(selector), 'invalid label selector')]
  errors.push(...checkTemplate(template))
  if (restartPolicy !== 'Always')
    errors.push(unsupported('spec.template.spec.restartPolicy', restartPolicy, ['Always']))
  if (activeDeadlineSeconds !== undefined)
    errors.push(
      forbiddenField(
        'spec.template.spec.activeDeadlineSeconds',
        `activeDeadlineSeconds in ${kind} is not Supported`,
      ),
    )
  return errors
}
