/**
 * A pod's spec as a whole, in the order in which kube-apiserver complains. Rules for storage plugins,
 * Windows, AppArmor, seccomp and DNS options are not here: nothing in the simulation reads those fields.
 */
import { mirrorAnnotation } from '../../../../apis/names.ts'
import type { FieldError } from '../../refusal.ts'
import { all, forbiddenField, required, unsupported, wrong } from '../validate/field-errors.ts'
import { checkLabels } from '../validate/labels.ts'
import { checkDnsLabel, checkQualifiedName, checkSubdomain } from '../validate/names.ts'
import { isHugePages } from '../validate/resource-names.ts'
import { formed, largestInt32, oneOf, within } from './complaints.ts'
import { amountsOf, isSidecar } from './resources.ts'
import type { Pod, PodSecurityContext, PodSpec } from './types.ts'
import {
  checkContainers,
  checkEphemeralContainers,
  checkImage,
  checkInitContainers,
} from './validate-containers.ts'
import { checkOverhead, checkPodResources, isWholePages } from './validate-resources.ts'
import { checkAffinity, checkGates, checkSpread, checkTolerations } from './validate-scheduling.ts'
import { checkVolumes } from './validate-volumes.ts'

export const isMirror = ({ metadata }: Pod): boolean =>
  metadata.annotations?.[mirrorAnnotation] !== undefined

export const checkMirrorNode = (pod: Pod): FieldError[] =>
  isMirror(pod) && !pod.spec.nodeName
    ? [
        wrong(
          `metadata.annotations[${mirrorAnnotation}]`,
          pod.metadata.annotations?.[mirrorAnnotation],
          'must set spec.nodeName if mirror pod annotation is set',
        ),
      ]
    : []

/** What was allowed to an older pod stays allowed to it. */
export function checkPod(pod: Pod, old?: Pod): FieldError[] {
  const { spec } = pod
  return [
    ...checkMirrorNode(pod),
    ...checkSpec(spec, {
      field: 'spec',
      isTemplate: false,
      allowsPartPages: old !== undefined && hasPartPages(old.spec),
      allowsInitRestart: old !== undefined && hasInitRestart(old.spec),
    }),
    ...spec.containers.flatMap((one, index) => checkImage(one, `spec.containers[${index}]`)),
    ...(spec.initContainers ?? []).flatMap((one, index) =>
      checkImage(one, `spec.initContainers[${index}]`),
    ),
  ]
}

/** Of what makes pods; `field` is where the template's spec is. */
export const checkTemplateSpec = (spec: PodSpec, field: string): FieldError[] =>
  checkSpec(spec, { field, isTemplate: true, allowsPartPages: false, allowsInitRestart: false })

export function checkNewPod(pod: Pod): FieldError[] {
  const { nodeName, schedulingGates = [], ephemeralContainers = [] } = pod.spec
  return [
    ...checkPod(pod),
    ...(ephemeralContainers.length > 0
      ? [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(nodeName && schedulingGates.length > 0
      ? [
          forbiddenField(
            'spec.nodeName',
            'cannot be set until all schedulingGates have been cleared',
          ),
        ]
      : []),
  ]
}

type SpecAt = {
  readonly field: string
  /** Host ports may still be missing. */
  readonly isTemplate: boolean
  readonly allowsPartPages: boolean
  readonly allowsInitRestart: boolean
}

function checkSpec(spec: PodSpec, given: SpecAt): FieldError[] {
  const { field, allowsPartPages } = given
  const volumes = checkVolumes(spec.volumes ?? [], `${field}.volumes`)
  const at = { ...given, spec, volumes: volumes.names }
  const seconds = { from: 1, to: largestInt32 }
  return [
    ...volumes.errors,
    ...checkContainers(at),
    ...checkInitContainers(at),
    ...checkEphemeralContainers(at),
    ...checkPodResources(spec, { field: `${field}.resources`, allowsPartPages }),
    ...checkHostNetwork(spec, given),
    ...oneOf(`${field}.restartPolicy`, spec.restartPolicy, ['Always', 'OnFailure', 'Never']),
    ...oneOf(`${field}.dnsPolicy`, spec.dnsPolicy, dnsPolicies),
    ...checkLabels(spec.nodeSelector, `${field}.nodeSelector`),
    ...checkSecurity(spec, `${field}.securityContext`),
    ...checkAffinity(spec.affinity, `${field}.affinity`),
    ...checkDns(spec, `${field}.dnsConfig`),
    ...(spec.readinessGates ?? []).flatMap(({ conditionType = '' }, index) =>
      all(
        `${field}.readinessGates[${index}].conditionType`,
        conditionType,
        checkQualifiedName(conditionType),
      ),
    ),
    ...checkGates(spec.schedulingGates, `${field}.schedulingGates`),
    ...checkSpread(spec.topologySpreadConstraints ?? [], `${field}.topologySpreadConstraints`),
    ...formed(`${field}.serviceAccountName`, spec.serviceAccountName, checkSubdomain),
    ...formed(`${field}.nodeName`, spec.nodeName, checkSubdomain),
    ...within(`${field}.activeDeadlineSeconds`, spec.activeDeadlineSeconds, seconds),
    ...formed(`${field}.hostname`, spec.hostname, checkDnsLabel),
    ...formed(`${field}.subdomain`, spec.subdomain, checkDnsLabel),
    ...checkTolerations(spec.tolerations ?? [], `${field}.tolerations`),
    ...formed(`${field}.priorityClassName`, spec.priorityClassName, checkSubdomain),
    ...formed(`${field}.runtimeClassName`, spec.runtimeClassName, checkSubdomain),
    ...oneOf(`${field}.preemptionPolicy`, spec.preemptionPolicy, ['PreemptLowerPriority', 'Never']),
    ...checkOverhead(spec.overhead, { field: `${field}.overhead`, allowsPartPages }),
    ...checkOs(spec, `${field}.os`),
  ]
}

const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']

function checkDns({ dnsPolicy, dnsConfig }: PodSpec, field: string): FieldError[] {
  if (dnsPolicy !== 'None') return []
  if (dnsConfig === undefined)
    return [required(field, 'must provide `dnsConfig` when `dnsPolicy` is None')]
  return (dnsConfig.nameservers ?? []).length > 0
    ? []
    : [
        required(
          `${field}.nameservers`,
          'must provide at least one DNS nameserver when `dnsPolicy` is None',
        ),
      ]
}

const checkOs = ({ os }: PodSpec, field: string): FieldError[] => {
  if (os === undefined) return []
  if (!os.name) return [required(`${field}.name`)]
  return ['linux', 'windows'].includes(os.name)
    ? []
    : [unsupported(field, os.name, ['linux', 'windows'])]
}

const checkHostNetwork = (
  { hostNetwork, containers }: PodSpec,
  { field, isTemplate }: SpecAt,
): FieldError[] =>
  hostNetwork === true
    ? containers.flatMap(({ ports = [] }, index) =>
        ports.flatMap(({ hostPort = 0, containerPort = 0 }, place) =>
          hostPort === containerPort || (isTemplate && hostPort === 0)
            ? []
            : [
                wrong(
                  `${field}.containers[${index}].ports[${place}].hostPort`,
                  hostPort,
                  'must match `containerPort` when `hostNetwork` is true',
                ),
              ],
        ),
      )
    : []

function checkSecurity(
  { securityContext = {}, hostPID, shareProcessNamespace }: PodSpec,
  field: string,
): FieldError[] {
  const ids = { from: 0, to: largestInt32 }
  const { fsGroup, runAsUser, runAsGroup, supplementalGroups }: PodSecurityContext = securityContext
  return [
    ...within(`${field}.fsGroup`, fsGroup, ids),
    ...within(`${field}.runAsUser`, runAsUser, ids),
    ...within(`${field}.runAsGroup`, runAsGroup, ids),
    ...(supplementalGroups ?? []).flatMap((group, index) =>
      within(`${field}.supplementalGroups[${index}]`, group, ids),
    ),
    ...(hostPID === true && shareProcessNamespace === true
      ? [
          wrong(
            `${field}.shareProcessNamespace`,
            true,
            'ShareProcessNamespace and HostPID cannot both be enabled',
          ),
        ]
      : []),
    ...oneOf(`${field}.fsGroupChangePolicy`, securityContext.fsGroupChangePolicy, [
      'Always',
      'OnRootMismatch',
    ]),
  ]
}

const allContainers = ({ containers, initContainers = [] }: PodSpec) => [
  ...initContainers,
  ...containers,
]

const hasPartPages = (spec: PodSpec): boolean =>
  [
    spec.overhead,
    ...allContainers(spec).flatMap(({ resources = {} }) => [resources.limits, resources.requests]),
  ].some((list) =>
    [...amountsOf(list)].some(([name, amount]) => isHugePages(name) && !isWholePages(name, amount)),
  )

const hasInitRestart = ({ initContainers = [] }: PodSpec): boolean =>
  initContainers.some(
    (one) =>
      !isSidecar(one) &&
      one.resizePolicy?.some(({ restartPolicy }) => restartPolicy === 'RestartContainer'),
  )
