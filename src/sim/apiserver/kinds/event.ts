import type { ApiObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import { printAgeOf } from '../table/age.ts'
import { column } from './columns.ts'
import type { KindRules } from './kind-rules.ts'
import { fill } from './pod/defaults.ts'
import { all, required, wrong } from './validate/field-errors.ts'
import { checkQualifiedName } from './validate/names.ts'

type Reference = {
  readonly kind?: string
  readonly namespace?: string
  readonly name?: string
  readonly uid?: string
  readonly apiVersion?: string
  readonly resourceVersion?: string
  readonly fieldPath?: string
}
type Event = ApiObject & {
  readonly involvedObject?: Reference
  readonly reason?: string
  readonly message?: string
  readonly source?: { readonly component?: string; readonly host?: string }
  readonly firstTimestamp?: string | null
  readonly lastTimestamp?: string | null
  readonly count?: number
  readonly type?: string
  readonly eventTime?: string | null
  readonly series?: { readonly count: number; readonly lastObservedTime: string }
  readonly action?: string
  readonly reportingComponent?: string
  readonly reportingInstance?: string
}
const asEvent = (object: ApiObject): Event => object

/** Times that are not set are told as null, unlike those of other kinds. */
const setDefaults = (object: ApiObject): ApiObject =>
  fill(asEvent(object), {
    involvedObject: {},
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
  })

const mostCharacters = { reportingInstance: 128, action: 128, reason: 128, message: 1024 } as const

/** Those with an eventTime are of the newer style, and are held to more. */
function check(object: ApiObject): FieldError[] {
  const event = asEvent(object)
  const about = event.involvedObject?.namespace ?? ''
  const { namespace = '' } = event.metadata
  const errors: FieldError[] = []
  const isOld = event.eventTime === null || event.eventTime === undefined
  const homes = isOld ? ['default'] : ['default', 'kube-system']
  const isElsewhere = isOld && about !== '' && about !== namespace
  if (isElsewhere || (about === '' && !homes.includes(namespace)))
    errors.push(wrong('involvedObject.namespace', about, 'does not match event.namespace'))
  return isOld ? errors : [...errors, ...checkNewStyle(event)]
}

function checkNewStyle(event: Event): FieldError[] {
  const { reportingComponent = '' } = event
  const errors = reportingComponent === '' ? [required('reportingComponent')] : []
  errors.push(
    ...all('reportingComponent', reportingComponent, checkQualifiedName(reportingComponent)),
  )
  for (const field of ['reportingInstance', 'action', 'reason', 'message'] as const) {
    const text = event[field] ?? ''
    const most = mostCharacters[field]
    if (text === '' && field !== 'message') errors.push(required(field))
    if (Buffer.byteLength(text) > most)
      errors.push(wrong(field, '', `can have at most ${most} characters`))
  }
  return errors
}

const firstSeen = ({ firstTimestamp, eventTime }: Event, now: number): string =>
  printAgeOf(firstTimestamp ?? eventTime ?? undefined, now)

function lastSeen(event: Event, now: number): string {
  const last = event.series?.lastObservedTime ?? event.lastTimestamp
  return last ? printAgeOf(last, now) : firstSeen(event, now)
}

function targetText({ involvedObject: { kind = '', name = '' } = {} }: Event): string {
  return name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`
}

const componentOf = ({ source, reportingComponent }: Event): string =>
  source?.component || (reportingComponent ?? '')

function sourceText(event: Event): string {
  const instance = event.source?.host || (event.reportingInstance ?? '')
  return [componentOf(event), instance]
    .filter((part, index) => index === 0 || part !== '')
    .join(', ')
}

const wide = { wide: true }
const referenceFields = [
  'kind',
  'namespace',
  'name',
  'uid',
  'apiVersion',
  'resourceVersion',
  'fieldPath',
] as const

export const eventRules: KindRules = {
  strategy: {
    setDefaults,
    validateCreate: check,
    validateUpdate: check,
    // Old clients wrote names of all kinds; only the namespace is checked.
    validateName: () => [],
    createOnUpdate: true,
  },
  columns: [
    column(['Last Seen', 'Time since it was last seen.'], (object, { now }) =>
      lastSeen(asEvent(object), now),
    ),
    column(['Type', 'Normal or Warning.'], (object) => asEvent(object).type ?? ''),
    column(['Reason', 'Why, in a word.'], (object) => asEvent(object).reason ?? ''),
    column(['Object', 'What it is about.'], (object) => targetText(asEvent(object))),
    column(
      ['Subobject', 'Which part of it.'],
      (object) => asEvent(object).involvedObject?.fieldPath ?? '',
      wide,
    ),
    column(['Source', 'Who reports it.'], (object) => sourceText(asEvent(object)), wide),
    column(['Message', 'What happened.'], (object) => (asEvent(object).message ?? '').trim()),
    column(
      ['First Seen', 'Time since it was first seen.'],
      (object, { now }) => firstSeen(asEvent(object), now),
      wide,
    ),
    column(
      ['Count', 'How often it was seen.'],
      (object) => asEvent(object).series?.count ?? (asEvent(object).count || 1),
      wide,
    ),
    { ...column(['Name', 'Its name.'], ({ metadata }) => metadata.name, wide), format: 'name' },
  ],
  hasNameColumn: true,
  selectableFields: {
    ...Object.fromEntries(
      referenceFields.map((field) => [
        `involvedObject.${field}`,
        (object: ApiObject) => asEvent(object).involvedObject?.[field] ?? '',
      ]),
    ),
    reason: (object) => asEvent(object).reason ?? '',
    reportingComponent: (object) => asEvent(object).reportingComponent ?? '',
    source: (object) => componentOf(asEvent(object)),
    type: (object) => asEvent(object).type ?? '',
  },
  hasGeneration: false,
}
