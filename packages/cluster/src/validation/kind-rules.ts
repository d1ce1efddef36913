import type { FieldError, JsonObject } from 'setpoint/schema'
import type { Decoded } from './go/decoded.ts'
import { FieldPath } from './go/field-path.ts'
import type { NameRule } from './fields/name-rule.ts'
import { withoutNulls } from './go/without-nulls.ts'
import {
  checkKubeFinalizers,
  checkMetadata,
  checkMetadataUpdate,
  type Metadata,
} from './object-meta.ts'

/** A new object for the rules of its kind. */
export interface Created<T> {
  readonly object: Decoded<T>
  /** The place of the object itself: fields are its children. */
  readonly at: FieldPath
  /** Checks the metadata, for kinds that do it themselves with their own name rule. */
  readonly checkMetadata: () => void
}

/** A changed object and the stored one. */
export interface Updated<T> extends Created<T> {
  readonly old: Decoded<T>
  /** Compares the metadata with the stored one, for kinds that do it a second time. */
  readonly checkMetadataUpdate: () => void
}

/** The rules of one kind. Each function reports in the order of a real server. */
interface KindRules<T> {
  readonly group: string
  readonly kind: string
  readonly resource: string
  readonly namespaced: boolean
  readonly nameRule: NameRule
  /** A field with data of any form, which has nulls. */
  readonly rawField?: string
  /** The kind accepts finalizers without a domain. */
  readonly allowsPlainFinalizers?: true
  readonly create: (created: Created<T>) => void
  readonly update: (updated: Updated<T>) => void
  /** By subresource: `status`, `ephemeralcontainers`, ... */
  readonly subresources?: Readonly<Record<string, (updated: Updated<T>) => void>>
}

/** The rules of a kind for untyped JSON. */
export interface CheckedKind {
  readonly group: string
  readonly kind: string
  readonly resource: string
  readonly namespaced: boolean
  readonly nameRule: NameRule
  readonly create: (object: JsonObject) => FieldError[]
  /** `undefined` when the kind has no rules for the subresource. */
  readonly update: (change: ObjectChange) => FieldError[] | undefined
}

/** A changed object, the stored one, and the subresource of the write. */
interface ObjectChange {
  readonly object: JsonObject
  readonly old: JsonObject
  readonly subresource?: string | undefined
}

/**
 * Makes the rules of a kind callable with decoded JSON. This is the only place where decoded
 * objects get their type: decoding guarantees the JSON types, and `Decoded` covers the rest.
 */
export function checkedKind<T>(rules: KindRules<T>): CheckedKind {
  const updateRules = (subresource: string | undefined) =>
    subresource === undefined || subresource === ''
      ? (updated: Updated<T>) => rules.update(updated)
      : rules.subresources?.[subresource]
  return {
    group: rules.group,
    kind: rules.kind,
    resource: rules.resource,
    namespaced: rules.namespaced,
    nameRule: rules.nameRule,
    create(object) {
      const errors: FieldError[] = []
      rules.create(createdOf(rules, withoutNulls(object, rules.rawField), errors))
      return errors
    },
    update({ object: changed, old: stored, subresource }) {
      const check = updateRules(subresource)
      if (check === undefined) return undefined
      const errors: FieldError[] = []
      const object = withoutNulls(changed, rules.rawField)
      const old = withoutNulls(stored, rules.rawField)
      const created = createdOf(rules, object, errors)
      check({
        ...created,
        old: old as Decoded<T>,
        checkMetadataUpdate() {
          const place = created.at.child('metadata')
          const metadata = metadataOf(object)
          checkMetadataUpdate(metadata, metadataOf(old), place)
          if (rules.allowsPlainFinalizers !== true) checkKubeFinalizers(metadata, place)
        },
      })
      return errors
    },
  }
}

function createdOf<T>(rules: KindRules<T>, object: JsonObject, errors: FieldError[]): Created<T> {
  const at = FieldPath.root(errors)
  return {
    object: object as Decoded<T>,
    at,
    checkMetadata() {
      const place = at.child('metadata')
      const metadata = metadataOf(object)
      checkMetadata(metadata, place, rules)
      if (rules.allowsPlainFinalizers !== true) checkKubeFinalizers(metadata, place)
    },
  }
}

function metadataOf(object: JsonObject): Metadata {
  return (object['metadata'] ?? {}) as Metadata
}
