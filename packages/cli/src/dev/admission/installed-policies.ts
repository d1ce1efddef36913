import type { Client } from 'setpoint/client'
import {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from 'setpoint/kinds'
import type { LoadedOperator, LoadedPolicy } from '../messages.ts'

const kinds = {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} as const

/**
 * The policies that the operators of a session have installed. Without the sources that declare
 * them, API servers would still enforce them.
 */
export class InstalledPolicies {
  readonly #client: Client
  #installed = new Map<string, LoadedPolicy>()
  #current = new Set<string>()

  constructor(client: Client) {
    this.#client = client
  }

  /** Call it before these operators install their policies. */
  add(operators: readonly LoadedOperator[]): void {
    const policies = operators.flatMap((operator) => operator.policies)
    this.#current = new Set(policies.map(nameOf))
    for (const policy of policies) this.#installed.set(nameOf(policy), policy)
  }

  /** Removes the policies that the last operators do not declare any more. */
  async removeOutdated(): Promise<void> {
    await this.#remove((name) => !this.#current.has(name))
  }

  async removeAll(): Promise<void> {
    await this.#remove(() => true)
  }

  async #remove(isRemoved: (name: string) => boolean): Promise<void> {
    const removed = [...this.#installed].filter(([name]) => isRemoved(name))
    // Bindings come after their policies, and are removed first: nothing is half enforced.
    for (const [name, policy] of removed.reverse()) {
      await this.#client.delete(kinds[policy.kind], policy.name)
      this.#installed.delete(name)
    }
  }
}

function nameOf({ kind, name }: LoadedPolicy): string {
  return `${kind} ${name}`
}
