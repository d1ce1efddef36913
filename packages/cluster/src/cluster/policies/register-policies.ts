import { type AnyOperator, policyObjects } from 'setpoint'
import type { Client } from 'setpoint/client'
import {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from 'setpoint/kinds'

const kinds = {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} as const

/** Creates the policies of operators as generated manifests do, instead of those `before`. */
export async function registerPolicies(
  client: Client,
  operators: readonly AnyOperator[],
  before: readonly AnyOperator[] = [],
): Promise<void> {
  for (const { kind, metadata } of policyObjects(before)) {
    await client.delete(kinds[kind], metadata.name)
  }
  for (const object of policyObjects(operators)) {
    await client.apply(kinds[object.kind], object)
  }
}
