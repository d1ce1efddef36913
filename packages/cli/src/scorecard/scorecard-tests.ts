import type { ApiObject } from '../kubectl/index.ts'
import { bundleProblems } from './bundle-problems.ts'
import type { OwnedResource, ScoredBundle } from './scored-bundle.ts'

/** What happened to an example in the cluster. */
export interface ObservedExample {
  readonly example: ApiObject
  /** Why the API server refused it. */
  readonly refusal: string | undefined
  /** The object after the operators had time for it; undefined if it was refused or is gone. */
  readonly live: ApiObject | undefined
  /** The kinds of the objects that it owns. */
  readonly ownedKinds: readonly string[]
  /** How many objects the operators wrote after it was created. */
  readonly writes: number
}

/** The result of one test. */
export interface ScorecardResult {
  readonly name: string
  readonly suite: 'basic' | 'olm'
  readonly state: 'pass' | 'fail'
  readonly errors: readonly string[]
  readonly suggestions: readonly string[]
  readonly log: string
}

interface Findings {
  readonly errors: string[]
  readonly suggestions: string[]
}

type Judge = (bundle: ScoredBundle, observed: readonly ObservedExample[]) => Findings

/**
 * The tests, with the names of the original. `basic-check-status` and `basic-check-effect` are its
 * former tests of a status block, and of writes that follow a change.
 */
const tests: readonly (readonly [string, ScorecardResult['suite'], Judge])[] = [
  ['basic-check-spec', 'basic', (_, observed) => eachExample(observed, specProblems)],
  ['basic-check-status', 'basic', statusProblems],
  ['basic-check-effect', 'basic', (_, observed) => eachExample(observed, effectProblems)],
  ['olm-bundle-validation', 'olm', (bundle) => bundleProblems(bundle)],
  ['olm-crds-have-validation', 'olm', validationProblems],
  ['olm-crds-have-resources', 'olm', resourceProblems],
  ['olm-spec-descriptors', 'olm', (...all) => descriptorProblems('spec', ...all)],
  ['olm-status-descriptors', 'olm', (...all) => descriptorProblems('status', ...all)],
]

/** Runs all tests of the suites. */
export function scorecardResults(
  bundle: ScoredBundle,
  observed: readonly ObservedExample[],
  suites: readonly ScorecardResult['suite'][] = ['basic', 'olm'],
): ScorecardResult[] {
  const log = `${bundle.csv.metadata.name}: ${bundle.examples.length} examples, ${bundle.crds.length} CRDs`
  return tests
    .filter(([, suite]) => suites.includes(suite))
    .map(([name, suite, judge]) => {
      const { errors, suggestions } = judge(bundle, observed)
      return { name, suite, state: errors.length === 0 ? 'pass' : 'fail', errors, suggestions, log }
    })
}

const titleOf = ({ kind, metadata }: ApiObject): string => `${kind} ${metadata.name}`

function eachExample(
  observed: readonly ObservedExample[],
  problem: (one: ObservedExample & { readonly live: ApiObject }) => string | undefined,
): Findings {
  const errors = observed.flatMap((one) => {
    const { example, live, refusal } = one
    if (refusal !== undefined) return [`the API server refused ${titleOf(example)}: ${refusal}`]
    if (live === undefined) return [`${titleOf(example)} is gone`]
    const text = problem({ ...one, live })
    return text === undefined ? [] : [`${titleOf(example)} ${text}`]
  })
  return { errors, suggestions: [] }
}

function specProblems({ live }: { readonly live: ApiObject }): string | undefined {
  return live['spec'] === undefined ? 'has no spec' : undefined
}

/** A resource without the subresource `status` needs none. */
function statusProblems(bundle: ScoredBundle, observed: readonly ObservedExample[]): Findings {
  return eachExample(observed, ({ live }) => {
    const hasStatus = crdVersionOf(bundle, live)?.subresources?.status !== undefined
    return hasStatus && fieldsOf(live, 'status').length === 0 ? 'has no status' : undefined
  })
}

function effectProblems({ writes }: ObservedExample): string | undefined {
  return writes === 0 ? 'has no effect: the operators wrote nothing' : undefined
}

function fieldsOf(object: ApiObject, part: 'spec' | 'status'): string[] {
  const value = object[part]
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}

function crdVersionOf({ crds }: ScoredBundle, { kind, apiVersion }: ApiObject) {
  return crds
    .filter(({ spec }) => spec.names.kind === kind)
    .flatMap(({ spec }) => spec.versions.map((version) => ({ group: spec.group, version })))
    .find(({ group, version }) => `${group}/${version.name}` === apiVersion)?.version
}

/** Every field of the objects in the cluster is in the schema of its CRD. */
function validationProblems(bundle: ScoredBundle, observed: readonly ObservedExample[]): Findings {
  const suggestions: string[] = []
  const errors = observed.flatMap(({ example, live = example }) => {
    const version = crdVersionOf(bundle, example)
    if (version === undefined) return [`no CRD has ${example.kind} of ${example.apiVersion}`]
    const { properties = {} } = version.schema?.openAPIV3Schema ?? {}
    return (['spec', 'status'] as const).flatMap((part) => {
      const { properties: known = {}, 'x-kubernetes-preserve-unknown-fields': isOpen } =
        properties[part] ?? {}
      const unknown = fieldsOf(live, part).filter((name) => !(name in known) && isOpen !== true)
      suggestions.push(...unknown.map((name) => `add ${part}.${name} to the definition`))
      return unknown.map((name) => `${part}.${name} of ${example.kind} is not in the schema`)
    })
  })
  return { errors, suggestions }
}

function ownedOf({ csv }: ScoredBundle, { kind, apiVersion }: ApiObject) {
  const version = apiVersion.split('/').at(-1)
  const { owned } = csv.spec.customresourcedefinitions
  return owned.find((one) => one.kind === kind && one.version === version)
}

/** The ClusterServiceVersion names the kinds that the operators create. */
function resourceProblems(bundle: ScoredBundle, observed: readonly ObservedExample[]): Findings {
  const { owned } = bundle.csv.spec.customresourcedefinitions
  const empty = owned.filter(({ resources = [] }) => resources.length === 0)
  const suggestions = observed.flatMap(({ example, ownedKinds }) => {
    const listed = ownedOf(bundle, example)?.resources?.map(({ kind }) => kind) ?? []
    const missing = ownedKinds.filter((kind) => !listed.includes(kind))
    return missing.map((kind) => `${example.kind} owns ${kind} objects: name the kind by .owns`)
  })
  return {
    errors: empty.map(
      ({ kind }) => `${kind} has no resources: no kind is declared by its operator`,
    ),
    suggestions,
  }
}

/** Every field of the objects in the cluster has a descriptor. */
function descriptorProblems(
  part: 'spec' | 'status',
  bundle: ScoredBundle,
  observed: readonly ObservedExample[],
): Findings {
  const key = part === 'spec' ? 'specDescriptors' : 'statusDescriptors'
  const errors = observed.flatMap(({ example, live = example }) => {
    const owned: OwnedResource | undefined = ownedOf(bundle, example)
    if (owned === undefined) return [`no owned CRD is for ${titleOf(example)}`]
    const known = owned[key]?.map(({ path }) => path) ?? []
    const missing = fieldsOf(live, part).filter((name) => !known.includes(name))
    return missing.map((name) => `${part}.${name} of ${example.kind} has no descriptor`)
  })
  return { errors, suggestions: [] }
}
