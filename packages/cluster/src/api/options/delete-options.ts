import { fieldError, type FieldError, type JsonObject } from 'setpoint/schema'
import { invalidObject } from '../../status/index.ts'
import { integerOf, switchOf } from './query-values.ts'
import { dryRunErrors } from './write-options.ts'

/** How the dependents of a deleted object are treated. */
type Propagation = 'Orphan' | 'Background' | 'Foreground'

/** The validated options of a deletion. */
export interface DeleteOptions {
  readonly isDryRun: boolean
  readonly gracePeriodSeconds: number | undefined
  /** Includes the deprecated `orphanDependents`; `undefined` means the default of the kind. */
  readonly propagation: Propagation | undefined
  /**
   * Whether the deprecated `orphanDependents: false` was given: it changes the code of the answer,
   * and the finalizers of a namespace.
   */
  readonly isOrphanDenied: boolean
  readonly uid: string | undefined
  readonly resourceVersion: string | undefined
  /** As a DeleteOptions object, for webhooks; with a uid as a precondition if it has none. */
  readonly sent?: (uid: string | undefined) => JsonObject
}

interface RawDeleteOptions {
  readonly gracePeriodSeconds?: number
  readonly orphanDependents?: boolean
  readonly propagationPolicy?: string
  readonly dryRun?: readonly string[]
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}

/** Reads the options from the body if there is one, otherwise from the query, never from both. */
export function deleteOptions(body: JsonObject | undefined, query: URLSearchParams): DeleteOptions {
  const raw = body === undefined ? fromQuery(query) : (body as unknown as RawDeleteOptions)
  const dryRun = [...(raw.dryRun ?? [])]
  const errors: FieldError[] = []
  const { orphanDependents, propagationPolicy } = raw
  if (orphanDependents !== undefined && propagationPolicy !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set'
    errors.push(fieldError.invalid('propagationPolicy', propagationPolicy, detail))
  }
  const policies = ['Foreground', 'Background', 'Orphan']
  if (propagationPolicy !== undefined && !policies.includes(propagationPolicy)) {
    const supported = [...policies, 'nil']
    errors.push(fieldError.notSupported('propagationPolicy', propagationPolicy, supported))
  }
  errors.push(...dryRunErrors(dryRun))
  if (errors.length > 0) {
    throw invalidObject({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors)
  }
  return {
    isDryRun: dryRun.length > 0,
    gracePeriodSeconds: raw.gracePeriodSeconds,
    propagation: propagationOf(raw),
    isOrphanDenied: orphanDependents === false,
    uid: raw.preconditions?.uid,
    resourceVersion: raw.preconditions?.resourceVersion,
    sent: (uid) => sentOptions(raw, uid),
  }
}

/** In the order of Go's fields. */
function sentOptions(raw: RawDeleteOptions, uid: string | undefined): JsonObject {
  const preconditions = uid === undefined ? raw.preconditions : { uid, ...raw.preconditions }
  const { gracePeriodSeconds, orphanDependents, propagationPolicy, dryRun } = raw
  return {
    kind: 'DeleteOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(preconditions === undefined ? {} : { preconditions: { ...preconditions } }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(dryRun === undefined || dryRun.length === 0 ? {} : { dryRun: [...dryRun] }),
  }
}

function propagationOf(raw: RawDeleteOptions): Propagation | undefined {
  if (raw.propagationPolicy !== undefined) return raw.propagationPolicy as Propagation
  if (raw.orphanDependents === undefined) return undefined
  return raw.orphanDependents ? 'Orphan' : 'Background'
}

function fromQuery(query: URLSearchParams): RawDeleteOptions {
  const grace = integerOf(query, 'gracePeriodSeconds')
  const orphan = switchOf(query, 'orphanDependents')
  const policy = query.get('propagationPolicy')
  const [uid, resourceVersion] = [query.get('uid') ?? '', query.get('resourceVersion') ?? '']
  const preconditions = {
    ...(uid === '' ? {} : { uid }),
    ...(resourceVersion === '' ? {} : { resourceVersion }),
  }
  return {
    dryRun: query.getAll('dryRun'),
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(orphan === undefined ? {} : { orphanDependents: orphan }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
  }
}
