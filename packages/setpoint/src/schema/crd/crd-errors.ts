/**
 * All checks of a server when a CRD is created that do not need the state of the cluster. Parts
 * that all versions share are reported where the server reports them: not at the version, but at
 * `spec.validation`, `spec.additionalPrinterColumns` and so on.
 */
import { type CrdPrinter, jsonPrinter } from './check-structural-schema.ts'
import { conversionProblems } from './conversion-problems.ts'
import type { CrdManifest, CrdVersion } from './crd-manifest.ts'
import {
  approvalProblems,
  crdMetadataProblems,
  groupOf,
  groupProblems,
  nameProblems,
  withDefaultNames,
} from './crd-names.ts'
import { readManifest } from './crd-reading.ts'
import { shapeProblems } from './crd-shape.ts'
import {
  deprecationProblems,
  partsProblems,
  type RuleCheck,
  versionParts,
  type VersionParts,
} from './crd-version.ts'
import {
  invalid,
  invalidPrinted,
  nilField,
  notSupported,
  required,
  tooLong,
  type FieldError,
} from '../field-error.ts'
import { byteLength } from '../go/go-print.ts'
import { jsonEquals } from '../json-value.ts'
import { dns1035LabelProblems } from '../name-rules.ts'
import { childSchemas } from './raw-schema.ts'
import type { StructuralSchema } from '../structural-schema.ts'

/**
 * Checks a CRD as a server does on create. When a value has the wrong JSON type (a server responds
 * with 400), only those errors are reported. CEL rules are compiled only by `checkRules`.
 */
export function crdErrors(manifest: CrdManifest, options: CrdCheckOptions = {}): FieldError[] {
  const { print = jsonPrinter, checkRules = noRuleErrors } = options
  const crd = readManifest(manifest)
  const misshapen = shapeProblems(crd)
  if (misshapen.length > 0) return misshapen
  // Checking all schemas of a definition that cannot be stored would take about a second.
  const tooLarge = tooLargeProblems(crd)
  if (tooLarge.length > 0) return [...crdMetadataProblems(crd), ...tooLarge]
  return [
    ...crdMetadataProblems(crd),
    ...specProblems(crd, Array.isArray(versionsIn(manifest)), { print, checkRules }),
    ...storedVersionProblems(crd.spec.versions),
    ...approvalProblems(crd),
    ...preserveProblems(crd),
  ]
}

/** The parts of the check that production pods do not contain. */
export interface CrdCheckOptions {
  /** How errors print schemas; as JSON by default. */
  readonly print?: CrdPrinter
  /** Compiles the CEL rules of a valid schema, as `checkRules` of `setpoint/cel` does. */
  readonly checkRules?: RuleCheck
}

const noRuleErrors: RuleCheck = () => []

/** etcd refuses larger requests. */
const storageBytesMax = 1_572_864

function tooLargeProblems(crd: CrdManifest): FieldError[] {
  const isTooLarge = byteLength(JSON.stringify(crd)) > storageBytesMax
  return isTooLarge ? [tooLong(nilField, storageBytesMax)] : []
}

const scopes = ['Cluster', 'Namespaced']

function versionsIn(manifest: CrdManifest): unknown {
  return (manifest.spec as Partial<CrdManifest['spec']> | null | undefined)?.versions
}

function specProblems(
  crd: CrdManifest,
  hasVersions: boolean,
  options: Required<CrdCheckOptions>,
): FieldError[] {
  const { print } = options
  const { spec } = crd
  const names = withDefaultNames(spec.names)
  const { shared, versions } = hoist(spec.versions)
  const hasStatus = (parts: VersionParts) => parts.subresources?.status !== undefined
  const errors = [...groupProblems(groupOf(crd)), ...scopeProblems(spec.scope)]
  for (const [index, version] of spec.versions.entries()) {
    if (version.schema?.openAPIV3Schema !== undefined) continue
    errors.push(required(`spec.versions[${index}].schema.openAPIV3Schema`))
  }
  if (spec.preserveUnknownFields === true && spec.versions.some(hasDefaults)) {
    const detail = 'must be false in order to use defaults in the schema'
    errors.push(invalid('spec.preserveUnknownFields', true, detail))
  }
  for (const [index, version] of versions.entries()) {
    const path = `spec.versions[${index}]`
    errors.push(...labelProblem(`${path}.name`, version.name))
    errors.push(...deprecationProblems(version, path))
    const hasStatusSubresource = hasStatus(version) || hasStatus(shared)
    errors.push(
      ...partsProblems(version, { path, schemaField: 'schema', hasStatusSubresource, ...options }),
    )
  }
  errors.push(
    ...versionListProblems(versions, hasVersions ? print.versions(versions) : 'null'),
    ...nameProblems(names),
  )
  const hasStatusSubresource = hasStatus(shared) || versions.some(hasStatus)
  errors.push(
    ...partsProblems(shared, {
      path: 'spec',
      schemaField: 'validation',
      hasStatusSubresource,
      ...options,
    }),
  )
  const strategy = spec.conversion?.strategy ?? 'None'
  if (spec.preserveUnknownFields === true && strategy !== 'None') {
    const detail = 'must be None if spec.preserveUnknownFields is true'
    errors.push(invalid('spec.conversion.strategy', strategy, detail))
  }
  return [...errors, ...conversionProblems(spec.conversion)]
}

function scopeProblems(scope: string | undefined): FieldError[] {
  if (scope === undefined || scope === '') return [required('spec.scope')]
  return scopes.includes(scope) ? [] : [notSupported('spec.scope', scope, scopes)]
}

/**
 * Moves every part that is equal in all versions to the top, as the server does when it reads a
 * CRD.
 */
function hoist(versions: readonly CrdVersion[]): { shared: VersionParts; versions: CrdVersion[] } {
  const [first] = versions
  const agreed = versionParts.filter((part) =>
    versions.every((version) => jsonEquals(version[part], first?.[part])),
  )
  const shared = Object.fromEntries(agreed.map((part) => [part, first?.[part]])) as VersionParts
  const rest = versions.map((version) => {
    const kept = Object.entries(version).filter(([key]) => !agreed.includes(key as never))
    return Object.fromEntries(kept) as unknown as CrdVersion
  })
  return { shared, versions: rest }
}

function labelProblem(field: string, text: string): FieldError[] {
  const problems = dns1035LabelProblems(text)
  return problems.length === 0 ? [] : [invalid(field, text, problems.join(','))]
}

/** The server prints a missing list differently from an empty one. */
function versionListProblems(versions: readonly CrdVersion[], printed: string): FieldError[] {
  const errors: FieldError[] = []
  if (new Set(versions.map((version) => version.name)).size < versions.length) {
    errors.push(invalidPrinted('spec.versions', printed, 'must contain unique version names'))
  }
  if (versions.filter((version) => version.storage).length !== 1) {
    const detail = 'must have exactly one version marked as storage version'
    errors.push(invalidPrinted('spec.versions', printed, detail))
  }
  const [first] = versions
  const name = first?.name ?? ''
  return name === '' ? errors : [...errors, ...labelProblem('spec.version', name)]
}

/** The server records the first storage version as stored, and then expects all of them there. */
function storedVersionProblems(versions: readonly CrdVersion[]): FieldError[] {
  const stored = versions.filter((version) => version.storage)
  const [first, ...others] = stored
  const field = 'status.storedVersions'
  if (first === undefined) return [invalid(field, null, 'must have at least one stored version')]
  return others.map((version) =>
    invalid(field, [first.name], `must have the storage version ${version.name}`),
  )
}

function preserveProblems(crd: CrdManifest): FieldError[] {
  if (crd.spec.preserveUnknownFields !== true) return []
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
  return [invalid('spec.preserveUnknownFields', true, detail)]
}

function hasDefaults(version: CrdVersion): boolean {
  const schema = version.schema?.openAPIV3Schema
  return schema !== undefined && schemaHasDefaults(schema)
}

function schemaHasDefaults(schema: StructuralSchema): boolean {
  if (schema.default !== undefined) return true
  return childSchemas(schema, '').some(([child]) => schemaHasDefaults(child))
}
