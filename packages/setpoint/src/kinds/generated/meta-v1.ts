// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

export interface Condition {
  lastTransitionTime: Time
  message: string
  observedGeneration?: number
  reason: string
  status: string
  type: string
}

export interface DeleteOptions {
  apiVersion?: string
  kind?: string
  dryRun?: string[]
  gracePeriodSeconds?: number
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean
  orphanDependents?: boolean
  preconditions?: Preconditions
  propagationPolicy?: string
}

export interface FieldSelectorRequirement {
  key: string
  operator: string
  values?: string[]
}

/** The set of fields one manager owns, as a tree with keys such as `f:spec`. */
export type FieldsV1 = Record<string, unknown>

/** A number, or a string such as a percentage (`25%`) or the name of a port. */
export type IntOrString = number | string

export interface LabelSelector {
  matchExpressions?: LabelSelectorRequirement[]
  matchLabels?: Record<string, string>
}

export interface LabelSelectorRequirement {
  key: string
  operator: string
  values?: string[]
}

export interface ListMeta {
  continue?: string
  remainingItemCount?: number
  resourceVersion?: string
  selfLink?: string
  shardInfo?: ShardInfo
}

export interface ManagedFieldsEntry {
  apiVersion?: string
  fieldsType?: string
  fieldsV1?: FieldsV1
  manager?: string
  operation?: string
  subresource?: string
  time?: Time
}

/** A time in RFC 3339 with six digits of fraction: `2026-01-01T00:00:00.000000Z`. */
export type MicroTime = string

export interface ObjectMeta {
  annotations?: Record<string, string>
  creationTimestamp?: Time
  deletionGracePeriodSeconds?: number
  deletionTimestamp?: Time
  finalizers?: string[]
  generateName?: string
  generation?: number
  labels?: Record<string, string>
  managedFields?: ManagedFieldsEntry[]
  name?: string
  namespace?: string
  ownerReferences?: OwnerReference[]
  resourceVersion?: string
  selfLink?: string
  uid?: string
}

export interface OwnerReference {
  apiVersion: string
  kind: string
  blockOwnerDeletion?: boolean
  controller?: boolean
  name: string
  uid: string
}

export interface Preconditions {
  resourceVersion?: string
  uid?: string
}

/** An amount with a unit, such as `500m`, `1.5` or `2Gi`; the server rewrites it canonically. */
export type Quantity = string & { readonly '~quantity'?: never }

/** An object of any kind, carried as it is. */
export type RawExtension = Record<string, unknown>

export interface ShardInfo {
  selector: string
}

export interface Status {
  apiVersion: 'v1'
  kind: 'Status'
  metadata?: ListMeta
  code?: number
  details?: StatusDetails
  message?: string
  reason?: string
  status?: string
}

export interface StatusCause {
  field?: string
  message?: string
  reason?: string
}

export interface StatusDetails {
  kind?: string
  causes?: StatusCause[]
  group?: string
  name?: string
  retryAfterSeconds?: number
  uid?: string
}

/** A time in RFC 3339 with a resolution of seconds: `2026-01-01T00:00:00Z`. */
export type Time = string
