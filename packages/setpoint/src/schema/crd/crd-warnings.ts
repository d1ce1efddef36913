/** Warnings about valid but problematic CRDs. */
import type { CrdManifest, CrdVersion } from './crd-manifest.ts'
import { byteLength, goQuote } from '../go/go-print.ts'
import { parseJsonPath } from '../json-path.ts'
import { childSchemas, raw } from './raw-schema.ts'
import { resolveSchemaPath } from '../schema-path.ts'
import { isKnownFormat } from '../formats/string-formats.ts'
import type { StructuralSchema } from '../structural-schema.ts'

/**
 * `kubectl apply` keeps a copy of the object in an annotation; this is the limit of annotations.
 */
const clientSideApplyBytesMax = 262_144

/** The server's own warnings (unknown formats) first, then ours. */
export function crdWarnings(crd: CrdManifest): string[] {
  const formats = crd.spec.versions.flatMap((version) => {
    const schema = version.schema?.openAPIV3Schema
    return schema === undefined ? [] : unknownFormats(schema)
  })
  const warnings = [...new Set(formats)].map((format) => `unrecognized format ${goQuote(format)}`)
  warnings.push(...crd.spec.versions.flatMap(pathWarnings))
  const bytes = byteLength(JSON.stringify(crd))
  if (bytes > clientSideApplyBytesMax) {
    warnings.push(
      `the CRD has ${bytes} bytes; above ${clientSideApplyBytesMax} client-side apply cannot carry it: use kubectl apply --server-side`,
    )
  }
  return warnings
}

function unknownFormats(schema: StructuralSchema): string[] {
  const { type, format } = raw(schema)
  const isUnknown = format !== undefined && format !== '' && !isKnownFormat(type, format)
  const below = childSchemas(schema, '').flatMap(([child]) => unknownFormats(child))
  return isUnknown ? [format, ...below] : below
}

/** A server hardly checks paths; a wrong one results in an empty cell or a scale of zero. */
function pathWarnings(version: CrdVersion): string[] {
  const schema = version.schema?.openAPIV3Schema
  if (schema === undefined) return []
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } =
    version.subresources?.scale ?? {}
  const paths = [
    ...(version.additionalPrinterColumns ?? []).map(
      (column) => [`column ${goQuote(column.name)}`, column.jsonPath] as const,
    ),
    ...Object.entries({ specReplicasPath, statusReplicasPath, labelSelectorPath }),
  ]
  return paths.flatMap(([subject, path]) => {
    if (path?.startsWith('.') !== true) return []
    const problem = pathProblem(schema, path)
    return problem === undefined ? [] : [`version ${version.name}, ${subject}: ${problem}`]
  })
}

function pathProblem(schema: StructuralSchema, path: string): string | undefined {
  const parsed = parseJsonPath(path)
  if (parsed.problem !== undefined) return `the path cannot be read: ${parsed.problem}`
  const { missing, known } = { known: [], ...resolveSchemaPath(schema, parsed.steps) }
  if (missing === undefined) return undefined
  const step = parsed.steps[missing]
  const name = step?.kind === 'field' ? `no field ${goQuote(step.name)}` : 'no list or map'
  const choice = known.length === 0 ? '' : `; there are ${known.join(', ')}`
  return `the path ${path} finds nothing: the schema has ${name} at step ${missing + 1}${choice}`
}
