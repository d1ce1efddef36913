import { SetpointError } from '../errors/index.ts'
import type { AnyOperator, ServedApi } from '../operator/index.ts'
import { base64Of, localName, servicePort, type WebhookAddress } from './webhook-address.ts'

/** The object by which API servers know an aggregated API. */
export interface ApiServiceObject {
  readonly apiVersion: 'apiregistration.k8s.io/v1'
  readonly kind: 'APIService'
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly group: string
    readonly version: string
    readonly groupPriorityMinimum: number
    readonly versionPriority: number
    readonly service: { readonly name: string; readonly namespace: string; readonly port: number }
    readonly caBundle?: string
  }
}

/** The address of the server, and its CA bundle as PEM text. */
interface ApiServiceOptions {
  readonly address: WebhookAddress
  readonly caBundle?: string | undefined
}

/** The aggregated APIs of operators. */
export function servedApis(operators: readonly AnyOperator[]): ServedApi[] {
  return operators.flatMap(({ declaration: { api } }) => api ?? [])
}

/**
 * The APIServices of the aggregated APIs of operators. `setpoint generate` writes them; a process
 * with `install: true` applies them.
 */
export function apiServiceObjects(
  operators: readonly AnyOperator[],
  { address, caBundle }: ApiServiceOptions,
): ApiServiceObject[] {
  return servedApis(operators).map(({ group, version, groupPriority, versionPriority }) => ({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `${version}.${group}` },
    spec: {
      group,
      version,
      groupPriorityMinimum: groupPriority,
      versionPriority,
      service: serviceOf(address),
      ...(caBundle === undefined ? {} : { caBundle: base64Of(caBundle) }),
    },
  }))
}

/** The Service by which API servers reach a process that has only a URL. */
export const localService = { name: localName, namespace: 'default' }

/** The name that API servers request from the certificate of that process. */
export const localServiceHost = `${localService.name}.${localService.namespace}.svc`

function serviceOf(address: WebhookAddress): ApiServiceObject['spec']['service'] {
  if ('service' in address) return { ...address.service, port: servicePort }
  const { port } = new URL(address.url)
  return { ...localService, port: port === '' ? servicePort : Number(port) }
}

/**
 * The Service of a process that API servers reach by a URL. An APIService has no URL, only a
 * Service; one of type ExternalName leads to any host. Throws for a URL with a path.
 */
export function localServiceObject(url: string) {
  const { hostname, pathname } = new URL(url)
  if (pathname !== '/') {
    throw new SetpointError('PROCESS_INVALID', `aggregated APIs cannot be served below ${url}`, {
      hint: 'API servers call them by a Service: give a URL without a path',
    })
  }
  const spec = { type: 'ExternalName' as const, externalName: hostname }
  return { metadata: localService, spec }
}
