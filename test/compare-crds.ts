/** Compares a generated CRD with a hand-written one, for tests. */
import type { CrdManifest } from 'setpoint'

/** One line per difference, `path: theirs -> ours`; absent values read as `(none)`. */
export function crdDifferences(theirs: CrdManifest, ours: CrdManifest): string[] {
  return differences('', normalized(theirs), normalized(ours))
}

type Json = { readonly [key: string]: unknown }

/** Removes what a server would default or ignore: derived names and implied fields. */
function normalized({ metadata, spec }: CrdManifest): Json {
  const { kind, singular = kind.toLowerCase(), listKind = `${kind}List` } = spec.names
  const versions = spec.versions.map((version) => {
    const root = version.schema?.openAPIV3Schema
    const { apiVersion: _a, kind: _k, metadata: _m, ...properties } = root?.properties ?? {}
    return { ...version, schema: { ...root, properties } }
  })
  return { metadata, spec: { ...spec, names: { ...spec.names, singular, listKind }, versions } }
}

function differences(path: string, theirs: unknown, ours: unknown): string[] {
  if (isObject(theirs) && isObject(ours)) {
    const keys = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].sort()
    return keys.flatMap((key) => differences(`${path}.${key}`, theirs[key], ours[key]))
  }
  if (JSON.stringify(theirs) === JSON.stringify(ours)) return []
  return [`${path}: ${print(theirs)} -> ${print(ours)}`]
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

function print(value: unknown): string {
  if (value === undefined) return '(none)'
  return isObject(value) ? `{${Object.keys(value).join(', ')}}` : JSON.stringify(value)
}
