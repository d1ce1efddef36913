import { type AnyLabelSelector, selects } from 'setpoint/kinds'
import { metadataOf } from '../../object/index.ts'
import { notFound } from '../../status/index.ts'
import type { AdmissionAttributes, EquivalentResource } from '../admission.ts'
import type { ClusterReader } from '../cluster-reader.ts'
import { matchesRule } from './match-rule.ts'
import { reviewedWrite, type ReviewedWrite } from './reviewed-write.ts'
import type { MatchRule } from './webhook.ts'

/** What decides whether a webhook or a policy is about a write. */
interface Matching {
  readonly rules?: readonly MatchRule[]
  readonly matchPolicy?: 'Exact' | 'Equivalent'
  readonly namespaceSelector?: AnyLabelSelector
  readonly objectSelector?: AnyLabelSelector
}

/** A write in the version that a rule names. */
export interface Invocation {
  readonly write: ReviewedWrite
  readonly resource: { readonly group: string; readonly version: string; readonly plural: string }
  /** Set if the rule names another version of the resource. */
  readonly converted?: EquivalentResource
}

/**
 * How a webhook is called for a write; `undefined` if it is not about it. The write is not converted
 * yet: `inMatchedVersion` does that.
 */
export function invocationOf(
  matching: Matching,
  attributes: AdmissionAttributes,
  cluster: ClusterReader,
): Invocation | undefined {
  const write = reviewedWrite(attributes)
  const inNamespace = matchesNamespace(matching, { attributes, write, cluster })
  if (inNamespace === false || !matchesObject(matching, write)) return undefined
  const invocation = matchedVersion(matching, attributes, write)
  if (invocation === undefined) return undefined
  if (inNamespace === 'missing') {
    throw notFound({ group: '', resource: 'namespaces' }, write.namespace)
  }
  return invocation
}

function matchedVersion(
  { rules = [], matchPolicy }: Matching,
  attributes: AdmissionAttributes,
  write: ReviewedWrite,
): Invocation | undefined {
  const { operation, subresource, resource } = attributes
  const { namespace } = write
  const request = { operation, subresource, namespace }
  const { group, version, plural } = resource
  const own = { group, version, plural }
  if (rules.some((rule) => matchesRule(rule, { ...request, ...own }))) {
    return { write, resource: own }
  }
  if (matchPolicy !== 'Equivalent') return undefined
  const others = attributes.equivalents()
  for (const rule of rules) {
    const other = others.find((each) => matchesRule(rule, { ...request, ...each }))
    if (other !== undefined) return unconverted(write, other)
  }
  return undefined
}

function unconverted(write: ReviewedWrite, other: EquivalentResource): Invocation {
  const { group, version, plural, kind } = other
  return {
    write: { ...write, kind: { group, version, kind } },
    resource: { group, version, plural },
    converted: other,
  }
}

/** The invocation with its objects in the version that the rule names. */
export async function inMatchedVersion(invocation: Invocation): Promise<Invocation> {
  const { write, converted } = invocation
  if (converted === undefined) return invocation
  const object = write.object && (await converted.convert(write.object))
  const old = write.old && (await converted.convert(write.old))
  return { ...invocation, write: { ...write, object, old } }
}

/** The old object counts too, so that a change of labels cannot avoid a webhook. */
function matchesObject({ objectSelector }: Matching, { object, old }: ReviewedWrite): boolean {
  if (objectSelector === undefined || isEmpty(objectSelector)) return true
  // Options, such as those of an exec, have no metadata and are never selected.
  return [object, old].some(
    (each) => each?.['metadata'] !== undefined && selects(objectSelector, metadataOf(each).labels),
  )
}

interface NamespacedWrite {
  readonly attributes: AdmissionAttributes
  readonly write: ReviewedWrite
  readonly cluster: ClusterReader
}

function matchesNamespace(
  { namespaceSelector }: Matching,
  { attributes, write, cluster }: NamespacedWrite,
): boolean | 'missing' {
  const { resource, subresource, operation } = attributes
  const isNamespace = resource.plural === 'namespaces'
  if (write.namespace === '' && !isNamespace) return true
  if (namespaceSelector === undefined || isEmpty(namespaceSelector)) return true
  // The labels that the write sets, not the stored ones.
  const isOwn = isNamespace && subresource === '' && operation !== 'DELETE'
  const namespace = isOwn ? write.object : cluster.get('/namespaces', write.namespace)
  if (namespace === undefined) return 'missing'
  return selects(namespaceSelector, metadataOf(namespace).labels)
}

function isEmpty({ matchLabels = {}, matchExpressions = [] }: AnyLabelSelector): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0
}
