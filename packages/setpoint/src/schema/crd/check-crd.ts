import type { FieldError } from '../field-error.ts'
import { goSchemaJson, goVersionsJson } from '../go/go-schema-print.ts'
import type { CrdPrinter } from './check-structural-schema.ts'
import { type CrdCheckOptions, crdErrors } from './crd-errors.ts'
import type { CrdManifest, CrdVersion } from './crd-manifest.ts'
import { readManifest } from './crd-reading.ts'
import { crdWarnings } from './crd-warnings.ts'

/** The errors of a server, and warnings for the author. */
export interface CrdReport {
  readonly errors: readonly FieldError[]
  readonly warnings: readonly string[]
}

/** Prints schemas and versions as Go prints the types of the server. */
const goPrinter: CrdPrinter = {
  schema: goSchemaJson,
  versions: (versions) => goVersionsJson(versions as readonly CrdVersion[]),
}

/**
 * Checks a CRD as a server does on create, with the server's messages, and warns about problems it
 * accepts. Pass `checkRules` of `setpoint/cel` to compile its CEL rules too.
 */
export function checkCrd(
  manifest: CrdManifest,
  options: Pick<CrdCheckOptions, 'checkRules'> = {},
): CrdReport {
  const errors = crdErrors(manifest, { print: goPrinter, ...options })
  return { errors, warnings: errors.length > 0 ? [] : crdWarnings(readManifest(manifest)) }
}
