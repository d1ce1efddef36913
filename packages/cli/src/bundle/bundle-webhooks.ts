import { admissionConfigurations, type AnyOperator } from 'setpoint'
import { CommandError } from '../command/index.ts'
import { crdName, definitionsOf } from '../generate/index.ts'

/** Where OLM mounts the certificate that it makes. */
export const certificatesFolder = '/tmp/k8s-webhook-server/serving-certs'

interface Webhook {
  readonly name: string
  readonly rules: unknown
  readonly failurePolicy: unknown
  readonly sideEffects: unknown
  readonly matchPolicy: unknown
  readonly timeoutSeconds: unknown
  readonly objectSelector?: unknown
  readonly reinvocationPolicy?: unknown
  readonly clientConfig: { readonly service?: { readonly path: string } }
}

/** The webhooks of a ClusterServiceVersion, which OLM registers with a certificate of its own. */
export function bundleWebhooks(
  operators: readonly AnyOperator[],
  deploymentName: string,
): object[] {
  const address = { service: { name: 'any', namespace: 'any' } }
  const place = {
    admissionReviewVersions: ['v1'],
    containerPort: 443,
    targetPort: 9443,
    deploymentName,
  }
  const reviews = admissionConfigurations(operators, { address }).flatMap(({ kind, webhooks }) =>
    webhooks.map((webhook) => {
      refuseInexpressible(webhook)
      const { name, rules, clientConfig, ...others } = webhook as unknown as Webhook
      const { failurePolicy, sideEffects, matchPolicy, timeoutSeconds } = others
      const { objectSelector, reinvocationPolicy } = others
      return {
        type: kind.replace('WebhookConfiguration', 'AdmissionWebhook'),
        generateName: name,
        ...place,
        webhookPath: clientConfig.service?.path ?? '/',
        rules,
        failurePolicy,
        sideEffects,
        matchPolicy,
        timeoutSeconds,
        ...(objectSelector === undefined ? {} : { objectSelector }),
        ...(reinvocationPolicy === undefined ? {} : { reinvocationPolicy }),
      }
    }),
  )
  const converted = definitionsOf(operators).filter(({ versions }) => versions.length > 1)
  const conversions = converted.map((definition) => ({
    type: 'ConversionWebhook',
    generateName: `convert.${crdName(definition)}`,
    ...place,
    webhookPath: `/convert/${crdName(definition)}`,
    conversionCRDs: [crdName(definition)],
    sideEffects: 'None',
  }))
  return [...reviews, ...conversions]
}

/** OLM selects namespaces by the OperatorGroup, and knows no match conditions. */
function refuseInexpressible(webhook: Readonly<Record<string, unknown>>): void {
  for (const field of ['matchConditions', 'namespaceSelector']) {
    if (webhook[field] === undefined) continue
    throw new CommandError(
      `an OLM bundle cannot contain the webhook ${String(webhook['name'])}: it has ${field}, which OLM does not support`,
      { hint: 'deploy this operator with setpoint chart or setpoint generate' },
    )
  }
}
