/** The rules of `metadata`, which all kinds share, built-in and custom. */
import type { ObjectMeta } from 'setpoint/kinds'
import { goQuote, type FieldError, type JsonObject } from 'setpoint/schema'
import { isTerminating } from '../object/index.ts'
import type { Decoded } from './go/decoded.ts'
import { FieldPath } from './go/field-path.ts'
import { printStruct } from './go/go-struct.ts'
import { checkLabels, type TextMap } from './fields/check-label-selector.ts'
import type { NameRule } from './fields/name-rule.ts'
import { byteLength, labelProblems, qualifiedNameProblems } from './fields/name-rules.ts'
import { checkNonnegative } from './fields/number-rules.ts'
import { sameValue } from './fields/same-value.ts'
import { withoutNulls } from './go/without-nulls.ts'

/** Metadata after decoding. */
export type Metadata = Decoded<ObjectMeta>
type OwnerReference = NonNullable<Metadata['ownerReferences']>[number]

/** The limit for all annotations of one object together, keys and values, in bytes. */
const annotationBytesMax = 256 * 1024

/** The properties of a kind that the rules need. */
interface MetadataRules {
  readonly namespaced: boolean
  readonly nameRule: NameRule
}

/** Checks the metadata of a new object, in the server's order. */
export function checkMetadata(metadata: Metadata, at: FieldPath, rules: MetadataRules): void {
  const { name = '', generateName = '', namespace = '' } = metadata
  if (generateName !== '') {
    at.child('generateName').invalidEach(generateName, rules.nameRule(generateName, true))
  }
  if (name === '') at.child('name').required('name or generateName is required')
  else at.child('name').invalidEach(name, rules.nameRule(name, false))
  if (!rules.namespaced) {
    if (namespace !== '') at.child('namespace').forbidden('not allowed on this type')
  } else if (namespace === '') at.child('namespace').required()
  else at.child('namespace').invalidEach(namespace, labelProblems(namespace))
  checkNonnegative(metadata.generation, at.child('generation'))
  checkLabels(metadata.labels, at.child('labels'))
  checkAnnotations(metadata.annotations, at.child('annotations'))
  checkOwnerReferences(metadata.ownerReferences ?? [], at.child('ownerReferences'))
  checkFinalizers(metadata.finalizers ?? [], at.child('finalizers'))
  checkManagedFields(metadata.managedFields ?? [], at.child('managedFields'))
}

/**
 * Keys of annotations have the rule of label keys, but may be upper case; values are not checked.
 */
export function checkAnnotations(annotations: TextMap | undefined, at: FieldPath): void {
  let bytes = 0
  for (const key in annotations) {
    at.invalidEach(key, qualifiedNameProblems(key.toLowerCase()))
    bytes += byteLength(key) + byteLength(annotations[key] ?? '')
  }
  if (bytes > annotationBytesMax) at.tooLong(annotationBytesMax)
}

function checkOwnerReferences(owners: readonly OwnerReference[], at: FieldPath): void {
  let controller: string | undefined
  for (const owner of owners) {
    const { apiVersion = '', kind = '', name = '' } = owner
    checkOwner(owner, at)
    if (apiVersion === 'v1' && kind === 'Event') {
      const detail = '/v1, Kind=Event is disallowed from being an owner'
      at.invalidPrinted(printStruct(owner, 'OwnerReference'), detail)
    }
    if (owner.controller !== true) continue
    const current = `${kind}/${name}`
    if (controller === undefined) controller = current
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`
      at.invalidPrinted(printStruct(owners, 'OwnerReference'), detail)
    }
  }
}

/** A real server reports these at the list, not at the item. */
function checkOwner({ apiVersion = '', kind, name, uid }: OwnerReference, at: FieldPath): void {
  const slashes = apiVersion.split('/').length - 1
  if (apiVersion === '' || apiVersion.endsWith('/') || slashes > 1) {
    at.child('apiVersion').invalid(apiVersion, 'version must not be empty')
  }
  for (const [field, text = ''] of Object.entries({ kind, name, uid })) {
    if (text === '') at.child(field).invalid(text, 'must not be empty')
  }
}

function checkFinalizers(finalizers: readonly string[], at: FieldPath): void {
  for (const finalizer of finalizers) {
    at.invalidEach(finalizer, qualifiedNameProblems(finalizer))
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    at.invalid(finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')
  }
}

const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion']

/** Built-in kinds also require a domain for finalizers other than Kubernetes' own. */
export function checkKubeFinalizer(finalizer: string, at: FieldPath): void {
  if (finalizer.includes('/') || standardFinalizers.includes(finalizer)) return
  at.invalid(finalizer, 'name is neither a standard finalizer name nor is it fully qualified')
}

/** Checks all finalizers of the metadata with `checkKubeFinalizer`. */
export function checkKubeFinalizers(metadata: Metadata, at: FieldPath): void {
  for (const [index, finalizer] of (metadata.finalizers ?? []).entries()) {
    checkKubeFinalizer(finalizer, at.child('finalizers').index(index))
  }
}

function checkManagedFields(entries: NonNullable<Metadata['managedFields']>, at: FieldPath): void {
  for (const [index, entry] of entries.entries()) {
    const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry
    const place = at.index(index)
    if (operation !== 'Apply' && operation !== 'Update') {
      place.child('operation').invalid(operation, 'must be `Apply` or `Update`')
    }
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      place.child('fieldsType').invalid(fieldsType, 'must be `FieldsV1`')
    }
    if (byteLength(manager) > 128) place.child('manager').tooLong(128)
    if (byteLength(subresource) > 256) place.child('subresource').tooLong(256)
  }
}

/** Checks the metadata of a changed object against the stored one. */
export function checkMetadataUpdate(metadata: Metadata, old: Metadata, at: FieldPath): void {
  if (isTerminating({ metadata: old })) checkNoNewFinalizers(metadata, old, at)
  const { resourceVersion = '', generation = 0 } = metadata
  if (resourceVersion === '') {
    at.child('resourceVersion').invalid(resourceVersion, 'must be specified for an update')
  }
  checkNonnegative(generation, at.child('generation'))
  if (generation < (old.generation ?? 0)) {
    at.child('generation').invalid(generation, 'must not be decremented')
  }
  for (const field of ['name', 'namespace', 'uid'] as const) {
    checkImmutable(metadata[field] ?? '', old[field] ?? '', at.child(field))
  }
  const times = ['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const
  for (const field of times) checkImmutable(metadata[field], old[field], at.child(field))
  checkLabels(metadata.labels, at.child('labels'))
  checkAnnotations(metadata.annotations, at.child('annotations'))
  checkOwnerReferences(metadata.ownerReferences ?? [], at.child('ownerReferences'))
  checkManagedFields(metadata.managedFields ?? [], at.child('managedFields'))
}

function checkNoNewFinalizers(metadata: Metadata, old: Metadata, at: FieldPath): void {
  const known = new Set(old.finalizers)
  const added = [...new Set(metadata.finalizers)].filter((finalizer) => !known.has(finalizer))
  if (added.length === 0) return
  const list = added.sort().map(goQuote).join(', ')
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`
  at.child('finalizers').forbidden(detail)
}

/** An immutable field. */
export function checkImmutable(value: unknown, old: unknown, at: FieldPath): void {
  if (!sameValue(value, old)) at.invalid(value, 'field is immutable')
}

/**
 * The rules of metadata on create, for kinds whose other rules are elsewhere (custom resources).
 */
export function validateObjectMeta(
  metadata: JsonObject,
  options: MetadataRules & { readonly path?: string },
): FieldError[] {
  const errors: FieldError[] = []
  const at = FieldPath.root(errors).child(options.path ?? 'metadata')
  checkMetadata(withoutNulls(metadata), at, options)
  return errors
}

/**
 * The rules of metadata on update. The caller has already restored the fields that an update cannot
 * change: generation, creation and deletion times, and a missing uid.
 */
export function validateObjectMetaUpdate(
  metadata: JsonObject,
  old: JsonObject,
  options: { readonly path?: string } = {},
): FieldError[] {
  const errors: FieldError[] = []
  const at = FieldPath.root(errors).child(options.path ?? 'metadata')
  checkMetadataUpdate(withoutNulls(metadata), withoutNulls(old), at)
  return errors
}

/** The rules of labels alone. */
export function validateLabels(labels: TextMap, path: string): FieldError[] {
  const errors: FieldError[] = []
  checkLabels(labels, FieldPath.root(errors).child(path))
  return errors
}

/** The rules of annotations alone. */
export function validateAnnotations(annotations: TextMap, path: string): FieldError[] {
  const errors: FieldError[] = []
  checkAnnotations(annotations, FieldPath.root(errors).child(path))
  return errors
}
