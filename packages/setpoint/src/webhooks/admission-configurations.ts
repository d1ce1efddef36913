import {
  type AdmissionDeclaration,
  admissionPath,
  reviewedNamespaces,
  webhookName,
} from '../admission/index.ts'
import { asSelector } from '../kinds/label-selector.ts'
import type { AnyOperator, OperatorDeclaration } from '../operator/index.ts'
import { clientConfig, configurationName, type WebhookAddress } from './webhook-address.ts'

/** A webhook of a configuration. */
interface Webhook {
  readonly name: string
  readonly clientConfig: ReturnType<typeof clientConfig>
  readonly [field: string]: unknown
}

/** A ValidatingWebhookConfiguration or a MutatingWebhookConfiguration. */
export interface WebhookConfiguration {
  readonly apiVersion: 'admissionregistration.k8s.io/v1'
  readonly kind: 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration'
  readonly metadata: { readonly name: string }
  readonly webhooks: readonly Webhook[]
}

/** What only a deployment knows. */
export interface ConfigurationOptions {
  readonly address: WebhookAddress
  /** PEM text; a running process adds it. */
  readonly caBundle?: string | undefined
  /** Restricts every operator to these namespaces, as the option of `start`. */
  readonly namespaces?: readonly string[] | undefined
}

/**
 * The configurations that register the functions of `.validate` and `.mutate`: at most one of each
 * kind for all operators of a process. `setpoint generate` writes them, and `start` with `install:
 * true` applies them.
 */
export function admissionConfigurations(
  operators: readonly AnyOperator[],
  options: ConfigurationOptions,
): WebhookConfiguration[] {
  const configuration = (
    type: AdmissionDeclaration['type'],
    kind: WebhookConfiguration['kind'],
  ): WebhookConfiguration[] => {
    const webhooks = operators.flatMap(({ declaration }) =>
      declaration.admission
        .filter((one) => one.type === type)
        .map((one) => webhookOf(one, { operator: declaration, operators, ...options })),
    )
    const names = operators.map(({ declaration }) => declaration.options.name)
    const metadata = { name: configurationName(options.address, names) }
    return webhooks.length === 0
      ? []
      : [{ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata, webhooks }]
  }
  return [
    ...configuration('mutate', 'MutatingWebhookConfiguration'),
    ...configuration('validate', 'ValidatingWebhookConfiguration'),
  ]
}

function webhookOf(
  admission: AdmissionDeclaration,
  parts: ConfigurationOptions & {
    readonly operator: OperatorDeclaration
    readonly operators: readonly AnyOperator[]
  },
): Webhook {
  const { address, caBundle, namespaces, operator, operators } = parts
  const { kind, subresource, options, operations, timeoutSeconds, type } = admission
  const { failurePolicy = 'Fail', matchPolicy = 'Equivalent', sideEffects = 'None' } = options
  const conditions = Object.entries({
    ...options.matchConditions,
    ...ownDefinitionsCondition(admission, operators),
  }).map(([name, expression]) => ({ name, expression }))
  const own = operator.options.namespaces
  const selector = reviewedNamespaces({
    kind,
    selector: options.namespaceSelector,
    isOwnKind: operator.definition !== undefined,
    namespaces: namespaces ?? (Array.isArray(own) ? (own as readonly string[]) : undefined),
    ownNamespace: 'service' in address ? address.service.namespace : undefined,
  })
  return {
    name: webhookName(admission, operator.options.name),
    clientConfig: clientConfig(address, admissionPath(admission, operator.options.name), caBundle),
    rules: [
      {
        apiGroups: [kind.group],
        apiVersions: [kind.version],
        resources: [subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`],
        operations: [...operations],
        scope: kind.scope,
      },
    ],
    failurePolicy,
    matchPolicy,
    sideEffects,
    timeoutSeconds,
    admissionReviewVersions: ['v1'],
    ...(type === 'mutate' ? { reinvocationPolicy: options.reinvocationPolicy ?? 'Never' } : {}),
    ...(options.objectSelector === undefined
      ? {}
      : { objectSelector: asSelector(options.objectSelector) }),
    ...(selector === undefined ? {} : { namespaceSelector: selector }),
    ...(conditions.length === 0 ? {} : { matchConditions: conditions }),
  }
}

/**
 * A process writes its CRDs when it starts, before it can review them: it never reviews its own.
 */
function ownDefinitionsCondition(
  { kind }: AdmissionDeclaration,
  operators: readonly AnyOperator[],
): Readonly<Record<string, string>> {
  if (kind.kind !== 'CustomResourceDefinition') return {}
  const own = operators.flatMap(({ declaration: { definition } }) => definition ?? [])
  if (own.length === 0) return {}
  const names = own.map(({ plural, group }) => `'${plural}.${group}'`)
  return { 'not-own-definitions': `!(request.name in [${[...new Set(names)].sort().join(', ')}])` }
}
