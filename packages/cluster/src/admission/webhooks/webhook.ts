import type { AnyLabelSelector } from 'setpoint/kinds'
import { nameOf } from '../../object/index.ts'
import type { ClientConfig } from '../../outbound/index.ts'
import type { ClusterReader } from '../cluster-reader.ts'

/** A rule of a webhook or a policy: which requests it is about. */
export interface MatchRule {
  readonly operations: readonly string[]
  readonly apiGroups: readonly string[]
  readonly apiVersions: readonly string[]
  readonly resources: readonly string[]
  readonly scope?: 'Cluster' | 'Namespaced' | '*'
}

/** A webhook of a stored configuration, with the defaults of the server. */
export interface Webhook {
  readonly name: string
  readonly clientConfig: ClientConfig
  readonly rules?: readonly MatchRule[]
  readonly failurePolicy?: 'Fail' | 'Ignore'
  readonly matchPolicy?: 'Exact' | 'Equivalent'
  readonly namespaceSelector?: AnyLabelSelector
  readonly objectSelector?: AnyLabelSelector
  readonly sideEffects?: string
  readonly timeoutSeconds?: number
  readonly admissionReviewVersions?: readonly string[]
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[]
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded'
}

/** A webhook with the identity by which it is invoked again. */
export interface RegisteredWebhook extends Webhook {
  readonly id: string
  readonly configuration: string
}

const group = 'admissionregistration.k8s.io'

/** The webhooks of all configurations of one kind: by the name of the configuration, then in order. */
export function registeredWebhooks(
  cluster: ClusterReader,
  plural: 'mutatingwebhookconfigurations' | 'validatingwebhookconfigurations',
): RegisteredWebhook[] {
  const found: RegisteredWebhook[] = []
  for (const configuration of cluster.list(`${group}/${plural}`)) {
    const webhooks = (configuration['webhooks'] ?? []) as unknown as readonly Webhook[]
    for (const [index, webhook] of webhooks.entries()) {
      const name = nameOf(configuration)
      found.push({ ...webhook, id: `${name}/${webhook.name}/${index}`, configuration: name })
    }
  }
  return found
}
