import {
  admissionConfigurations,
  apiServiceObjects,
  conversionWebhook,
  type AnyOperator,
  type AnyResourceDefinition,
  type CrdOptions,
} from 'setpoint'
import type { Client } from 'setpoint/client'
import {
  APIService,
  MutatingWebhookConfiguration,
  Service,
  ValidatingWebhookConfiguration,
} from 'setpoint/kinds'

/** The port of the webhooks in the virtual network. */
export const webhooksPort = 9443
/** The address of the webhooks. */
export const webhooksAddress = { url: `https://127.0.0.1:${webhooksPort}` }

/** The conversion webhook in the CRD of a definition with several versions. */
export function conversionOf(definition: AnyResourceDefinition): CrdOptions | undefined {
  if (definition.versions.length === 1) return undefined
  return { conversionWebhook: conversionWebhook(definition, webhooksAddress) }
}

/** Registers the webhooks of operators as generated manifests do; their process adds its CA. */
export async function registerWebhooks(
  client: Client,
  operators: readonly AnyOperator[],
  before: readonly AnyOperator[] = [],
): Promise<void> {
  await registerApis(client, operators)
  for (const { kind, metadata } of admissionConfigurations(before, { address: webhooksAddress })) {
    if ((await client.find(configurationKinds[kind], metadata.name)) === undefined) continue
    await client.delete(configurationKinds[kind], metadata.name)
  }
  for (const configuration of admissionConfigurations(operators, { address: webhooksAddress })) {
    await client.create(configurationKinds[configuration.kind], configuration as never)
  }
}

const configurationKinds = { MutatingWebhookConfiguration, ValidatingWebhookConfiguration }

/** The objects by which the process of operators registers its webhooks and APIs, as paths. */
export function registrationPaths(operators: readonly AnyOperator[]): string[] {
  const definitions = operators.flatMap(({ declaration }) => declaration.definition ?? [])
  return [
    ...admissionConfigurations(operators, { address: webhooksAddress }).map(
      ({ apiVersion, kind, metadata: { name } }) =>
        `/apis/${apiVersion}/${kind.toLowerCase()}s/${name}`,
    ),
    ...definitions
      .filter(({ versions }) => versions.length > 1)
      .map(
        (one) =>
          `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${one.crd().metadata.name}`,
      ),
    ...apiServiceObjects(operators, { address: webhooksAddress }).map(
      ({ apiVersion, metadata: { name } }) => `/apis/${apiVersion}/apiservices/${name}`,
    ),
  ]
}

/** Registers aggregated APIs, with a Service that leads to the process of the operators. */
async function registerApis(client: Client, operators: readonly AnyOperator[]): Promise<void> {
  for (const object of apiServiceObjects(operators, { address: webhooksAddress })) {
    const { port: _, ...metadata } = object.spec.service
    const { hostname: externalName } = new URL(webhooksAddress.url)
    await client.apply(Service, { metadata, spec: { type: 'ExternalName', externalName } })
    await client.apply(APIService, object)
  }
}
