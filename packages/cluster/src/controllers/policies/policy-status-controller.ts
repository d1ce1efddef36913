import { operator, type AnyOperator } from 'setpoint'
import { ValidatingAdmissionPolicy } from 'setpoint/kinds'
import { type CheckedKind, typeWarnings } from 'setpoint/cel'
import { controllerOptions } from '../controller-options.ts'
import { checkedResources } from './checked-resources.ts'

/** Finds the kinds that expressions are checked with; `undefined` if one is not served. */
export interface KindSchemas {
  ofResource(group: string, version: string, resource: string): CheckedKind | undefined
  ofKind(apiVersion: string, kind: string): CheckedKind | undefined
}

const name = 'validatingadmissionpolicy-status'

/**
 * Reports in the status of a ValidatingAdmissionPolicy which of its expressions do not fit the
 * types of the objects that it is about.
 */
export function policyStatusController(schemas: KindSchemas): AnyOperator {
  return operator(ValidatingAdmissionPolicy, {
    ...controllerOptions,
    name,
    fieldManager: name,
  }).reconcile(async ({ metadata, spec, status }, ctx) => {
    const { generation = 0 } = metadata
    if (generation <= (status?.observedGeneration ?? 0)) return
    const kinds = checkedResources(spec.matchConstraints?.resourceRules ?? []).flatMap(
      ([group, version, resource]) => schemas.ofResource(group, version, resource) ?? [],
    )
    const { paramKind: { apiVersion = '', kind = '' } = {} } = spec
    const params = apiVersion === '' ? undefined : schemas.ofKind(apiVersion, kind)
    const warnings = typeWarnings(spec, distinctKinds(kinds), params)
    const typeChecking = warnings.length === 0 ? {} : { expressionWarnings: warnings }
    await ctx.client.apply(
      ValidatingAdmissionPolicy,
      {
        metadata: { name: metadata.name },
        status: { observedGeneration: generation, typeChecking },
      },
      { fieldManager: name, force: true, subresource: 'status' },
    )
  })
}

const checkedMax = 10

/** Each kind once, by group, version and kind. */
function distinctKinds(kinds: readonly CheckedKind[]): CheckedKind[] {
  const byName = new Map(
    kinds
      .slice(0, checkedMax)
      .map((kind) => [[kind.group, kind.version, kind.kind].join('/'), kind]),
  )
  return [...byName.values()].sort(
    (one, other) =>
      compare(one.group, other.group) ||
      compare(one.version, other.version) ||
      compare(one.kind, other.kind),
  )
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
