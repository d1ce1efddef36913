import { checkRules } from 'setpoint/cel'
import type { CustomResourceDefinition } from 'setpoint/kinds'
import {
  checkCrd,
  goJson,
  type CrdManifest,
  type FieldError,
  type JsonValue,
} from 'setpoint/schema'
import type { FieldPath } from '../go/field-path.ts'
import { checkedKind, type Updated } from '../kind-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import { checkImmutable } from '../object-meta.ts'

type Definition = Updated<CustomResourceDefinition>['object']

/** The checks of a new definition, which include its metadata. */
function errorsOfNew(definition: Definition): readonly FieldError[] {
  return checkCrd(definition as unknown as CrdManifest, { checkRules }).errors
}

function isEstablished({ status }: Definition): boolean {
  return (status?.conditions ?? []).some(
    ({ type, status: value }) => type === 'Established' && value === 'True',
  )
}

/** Once a definition is established, the fields that identify its objects are immutable. */
function checkIdentity({ object, old, at }: Updated<CustomResourceDefinition>): void {
  const [spec, before] = [object.spec ?? {}, old.spec ?? {}]
  const place = at.child('spec')
  if (isEstablished(old)) {
    checkImmutable(spec.scope ?? '', before.scope ?? '', place.child('scope'))
    checkImmutable(spec.names?.kind ?? '', before.names?.kind ?? '', place.child('names', 'kind'))
  }
  checkImmutable(spec.group ?? '', before.group ?? '', place.child('group'))
  const pluralAt = place.child('names', 'plural')
  checkImmutable(spec.names?.plural ?? '', before.names?.plural ?? '', pluralAt)
}

/** A version in `storedVersions` cannot be removed. */
function checkStoredVersions({ spec, status }: Definition, at: FieldPath): void {
  const stored = status?.storedVersions ?? []
  const versions = spec?.versions ?? []
  if (stored.length === 0) return at.invalid(stored, 'must have at least one stored version')
  for (const { name = '', storage } of versions) {
    if (storage !== true || stored.includes(name)) continue
    at.invalid(stored, `must have the storage version ${name}`)
  }
  for (const [index, name] of stored.entries()) {
    if (versions.some((version) => version.name === name)) continue
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
    at.index(index).invalid(name, detail)
  }
}

/** The errors that the stored definition does not have. */
function newProblems(object: Definition, old: Definition): readonly FieldError[] {
  const errors = errorsOfNew(object).filter(({ field }) => !field.startsWith('metadata.'))
  if (errors.length === 0) return errors
  const identity = (error: FieldError) => goJson(error as unknown as JsonValue)
  const known = new Set(errorsOfNew(old).map(identity))
  return errors.filter((error) => !known.has(identity(error)))
}

function checkUpdate(updated: Updated<CustomResourceDefinition>): void {
  const { object, old, at } = updated
  updated.checkMetadataUpdate()
  const problems = newProblems(object, old)
  const isLast = ({ field }: FieldError) => field === 'spec.preserveUnknownFields'
  const isStatus = ({ field }: FieldError) => field.startsWith('status.')
  at.add(problems.filter((error) => !isLast(error) && !isStatus(error)))
  checkIdentity(updated)
  checkStoredVersions(object, at.child('status', 'storedVersions'))
  at.add(problems.filter(isLast))
}

/** The rules of CustomResourceDefinitions; `checkCrd` has those of new ones. */
export const customResourceDefinitionRules = checkedKind<CustomResourceDefinition>({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  resource: 'customresourcedefinitions',
  namespaced: false,
  nameRule: nameRules.subdomain,
  allowsPlainFinalizers: true,
  create({ object, at }) {
    at.add(errorsOfNew(object))
  },
  update: checkUpdate,
  subresources: {
    status({ checkMetadataUpdate }) {
      checkMetadataUpdate()
    },
  },
})
