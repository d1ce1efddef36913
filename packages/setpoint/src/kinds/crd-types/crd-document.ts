import { SetpointError } from '../../errors/index.ts'
import type { Scope } from '../kind.ts'

/** One served version of a CRD; its schema is untrusted. */
export interface CrdVersion {
  readonly name: string
  readonly schema: unknown
  readonly subresources: readonly string[]
  readonly deprecation: string | undefined
}

/** The parts of a CRD that describe its kind, validated. */
export interface CrdDocument {
  readonly group: string
  readonly kind: string
  readonly plural: string
  readonly singular: string | undefined
  readonly shortNames: readonly string[]
  readonly scope: Scope
  /** The served versions in the order of preference of discovery; at least one. */
  readonly versions: readonly CrdVersion[]
}

const label = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/
const kindName = /^[A-Za-z]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?$/
const subdomain = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/**
 * Reads a parsed CRD manifest. Names are validated by the rules of the API server, because they
 * become part of source code and URLs.
 */
export function readCrd(crd: unknown): CrdDocument {
  const { apiVersion, kind, spec: rawSpec } = asObject(crd)
  if (kind !== 'CustomResourceDefinition' || apiVersion !== 'apiextensions.k8s.io/v1') {
    throw new SetpointError(
      'CRD_INVALID',
      `expected a CustomResourceDefinition of apiextensions.k8s.io/v1, got ${inWords(kind)} of ${inWords(apiVersion)}`,
      {
        hint: 'pass the parsed manifest of one CRD; for an older apiVersion take what the cluster has: kubectl get crd NAME -o yaml',
      },
    )
  }
  const spec = asObject(rawSpec)
  const names = asObject(spec.names)
  const plural = matching(label, names.plural, 'spec.names.plural')
  const document = {
    group: matching(subdomain, spec.group, 'spec.group'),
    kind: matching(kindName, names.kind, 'spec.names.kind'),
    plural,
    singular:
      (names.singular ?? undefined) === undefined
        ? undefined
        : matching(label, names.singular, 'spec.names.singular'),
    shortNames: asList(names.shortNames).map((name, index) =>
      matching(label, name, `spec.names.shortNames[${index}]`),
    ),
    scope: scopeOf(spec.scope),
  }
  const versions = asList(spec.versions)
    .map(asObject)
    .filter(({ served }) => served === true)
    .map(versionOf)
    .sort((a, b) => compareVersions(a.name, b.name))
  if (versions.length === 0) {
    throw new SetpointError('CRD_INVALID', `${plural}.${document.group} serves no version`, {
      hint: 'spec.versions needs an entry with served: true',
    })
  }
  return { ...document, versions }
}

/**
 * A value's own properties if it is a plain object; CRDs come from outside, so nothing is assumed.
 */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** The value if it is a list, otherwise an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function versionOf(version: Readonly<Record<string, unknown>>, index: number): CrdVersion {
  const subresources = asObject(version.subresources)
  const warning = version.deprecationWarning
  return {
    name: matching(label, version.name, `spec.versions[${index}].name`),
    schema: asObject(version.schema).openAPIV3Schema,
    subresources: ['scale', 'status'].filter(
      (name) => (subresources[name] ?? undefined) !== undefined,
    ),
    deprecation:
      version.deprecated === true ? (typeof warning === 'string' ? warning : '') : undefined,
  }
}

function matching(pattern: RegExp, value: unknown, path: string): string {
  if (typeof value === 'string' && pattern.test(value)) return value
  throw new SetpointError(
    'CRD_INVALID',
    `${path} is ${inWords(value)}, which is not a valid name`,
    {
      hint: `an API server would refuse this CRD; the name has to match ${pattern.source}`,
    },
  )
}

function scopeOf(scope: unknown): Scope {
  if (scope === 'Namespaced' || scope === 'Cluster') return scope
  throw new SetpointError('CRD_INVALID', `spec.scope is ${inWords(scope)}`, {
    hint: 'it is either Namespaced or Cluster',
  })
}

/** Stable before beta before alpha, newer before older, other names last in alphabetical order. */
function compareVersions(a: string, b: string): number {
  const [rankA, rankB] = [versionRank(a), versionRank(b)]
  const difference = rankA.findIndex((part, index) => part !== rankB[index])
  if (difference === -1) return a < b ? -1 : 1
  return (rankB[difference] ?? 0) - (rankA[difference] ?? 0)
}

function versionRank(version: string): readonly number[] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version)
  if (match === null) return [0, 0, 0]
  const [, major, stage, minor] = match
  const stageRank = stage === undefined ? 3 : stage === 'beta' ? 2 : 1
  return [stageRank, Number(major), Number(minor ?? 0)]
}

function inWords(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80))
  return value === undefined ? 'missing' : `of type ${value === null ? 'null' : typeof value}`
}
