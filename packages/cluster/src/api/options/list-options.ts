import { fieldError, type FieldError } from 'setpoint/schema'
import { invalidObject } from '../../status/index.ts'
import { parseFieldSelector, type FieldRequirement } from '../select/field-selector.ts'
import { parseLabelSelector, type LabelMatch } from '../select/label-selector.ts'
import { integerOf, switchOf } from './query-values.ts'

/** The options of a list or a watch, validated without knowledge of the resource. */
export interface ListOptions {
  readonly labels: LabelMatch | undefined
  readonly fields: readonly FieldRequirement[]
  readonly resourceVersion: string
  readonly resourceVersionMatch: string
  readonly limit: number
  readonly continueToken: string
  readonly timeoutSeconds: number | undefined
  readonly allowWatchBookmarks: boolean
  readonly sendInitialEvents: boolean | undefined
}

/** Reads and validates the query of a list or a watch. */
export function listOptions(query: URLSearchParams, isWatch: boolean): ListOptions {
  const options = readListOptions(query)
  const errors = isWatch ? watchErrors(options) : listErrors(options)
  if (errors.length > 0) {
    throw invalidObject({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors)
  }
  return options
}

/** Reads the query; 400 for a value that has not the type of its parameter. */
export function readListOptions(query: URLSearchParams): ListOptions {
  return {
    timeoutSeconds: integerOf(query, 'timeoutSeconds'),
    limit: integerOf(query, 'limit') ?? 0,
    labels: parseLabelSelector(query.get('labelSelector') ?? ''),
    fields: parseFieldSelector(query.get('fieldSelector') ?? ''),
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    continueToken: query.get('continue') ?? '',
    allowWatchBookmarks: switchOf(query, 'allowWatchBookmarks') ?? false,
    sendInitialEvents: switchOf(query, 'sendInitialEvents'),
  }
}

const match = 'resourceVersionMatch'

function listErrors(options: ListOptions): FieldError[] {
  const errors = matchErrors(options)
  if (options.sendInitialEvents !== undefined) {
    const detail = 'sendInitialEvents is forbidden for list'
    errors.push(fieldError.forbidden('sendInitialEvents', detail))
  }
  return errors
}

function matchErrors(options: ListOptions): FieldError[] {
  const { resourceVersion, resourceVersionMatch, continueToken } = options
  if (resourceVersionMatch === '') return []
  const errors: FieldError[] = []
  if (resourceVersion === '') {
    const detail = 'resourceVersionMatch is forbidden unless resourceVersion is provided'
    errors.push(fieldError.forbidden(match, detail))
  }
  if (continueToken !== '') {
    const detail = 'resourceVersionMatch is forbidden when continue is provided'
    errors.push(fieldError.forbidden(match, detail))
  }
  if (!['Exact', 'NotOlderThan'].includes(resourceVersionMatch)) {
    const supported = ['Exact', 'NotOlderThan', '']
    errors.push(fieldError.notSupported(match, resourceVersionMatch, supported))
  }
  if (resourceVersionMatch === 'Exact' && resourceVersion === '0') {
    const detail = 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'
    errors.push(fieldError.forbidden(match, detail))
  }
  return errors
}

function watchErrors(options: ListOptions): FieldError[] {
  const { resourceVersionMatch, continueToken, sendInitialEvents } = options
  const errors: FieldError[] = []
  if (sendInitialEvents !== undefined && resourceVersionMatch !== 'NotOlderThan') {
    const detail = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'
    errors.push(fieldError.forbidden(match, detail))
  }
  if (sendInitialEvents === undefined && resourceVersionMatch !== '') {
    const detail =
      'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'
    errors.push(fieldError.forbidden(match, detail))
  }
  if (resourceVersionMatch !== '' && resourceVersionMatch !== 'NotOlderThan') {
    errors.push(fieldError.notSupported(match, resourceVersionMatch, ['NotOlderThan']))
  }
  // Without other options a watch begins with the existing objects, as with NotOlderThan.
  const isDefaulted = sendInitialEvents === undefined && ['', '0'].includes(options.resourceVersion)
  if ((resourceVersionMatch !== '' || isDefaulted) && continueToken !== '') {
    const detail = 'resourceVersionMatch is forbidden when continue is provided'
    errors.push(fieldError.forbidden(match, detail))
  }
  return errors
}
