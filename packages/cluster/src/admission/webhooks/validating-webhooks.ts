import type { AdmissionAttributes } from '../admission.ts'
import type { ClusterReader } from '../cluster-reader.ts'
import type { Plugin } from '../plugin.ts'
import { callWebhook, refusalAfter, type WebhookCalls } from './call-webhook.ts'
import { inMatchedVersion, type Invocation, invocationOf } from './invocation.ts'
import { meteredCall } from './metered-call.ts'
import { matchesConditions } from './webhook-conditions.ts'
import { isExempt } from './reviewed-write.ts'
import { registeredWebhooks } from './webhook.ts'

/** Calls all validating webhooks that match a write together; the first refusal is the answer. */
export function validatingWebhooks(cluster: ClusterReader, calls: WebhookCalls): Plugin {
  return {
    name: 'ValidatingAdmissionWebhook',
    validate(attributes) {
      const webhooks = registeredWebhooks(cluster, 'validatingwebhookconfigurations')
      if (webhooks.length === 0 || isExempt(attributes)) return undefined
      return validate(attributes, { webhooks, cluster, calls })
    },
  }
}

const failedOpen = 'failed-open.validating.webhook.admission.k8s.io'

async function validate(
  attributes: AdmissionAttributes,
  {
    webhooks,
    cluster,
    calls,
  }: {
    readonly webhooks: ReturnType<typeof registeredWebhooks>
    readonly cluster: ClusterReader
    readonly calls: WebhookCalls
  },
): Promise<void> {
  const relevant: { readonly webhook: (typeof webhooks)[number]; invocation: Invocation }[] = []
  for (const webhook of webhooks) {
    const found = invocationOf(webhook, attributes, cluster)
    if (found === undefined) continue
    const invocation = await inMatchedVersion(found)
    const matched = { attributes, invocation }
    if (matchesConditions(webhook, matched, calls.authorizer))
      relevant.push({ webhook, invocation })
  }
  const refusals: Error[] = []
  await Promise.all(
    relevant.map(async ({ webhook, invocation }, index) => {
      try {
        const metered = { webhook, attributes, type: 'validating', meter: calls.meter } as const
        await meteredCall(metered, () =>
          callWebhook(webhook, { attributes, invocation, isMutating: false }, calls),
        )
      } catch (error) {
        const refusal = refusalAfter(error, webhook)
        if (refusal !== undefined) refusals.push(refusal)
        else attributes.annotate?.(`${failedOpen}/round_0_index_${index}`, webhook.name)
      }
    }),
  )
  const [first] = refusals
  if (first !== undefined) throw first
}
