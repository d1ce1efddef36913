/** How API servers reach the webhooks of a process: by a Service of its pods, or by a URL. */
export type WebhookAddress =
  | { readonly service: { readonly name: string; readonly namespace: string } }
  | { readonly url: string }

/** The address of one webhook, as in configurations and CRDs. */
export interface WebhookClientConfig {
  readonly url?: string
  readonly service?: {
    readonly name: string
    readonly namespace: string
    readonly path: string
    readonly port: number
  }
  /** PEM text in base64. */
  readonly caBundle?: string
}

/** The port of the Service. */
export const servicePort = 443

/** The address of a path; `caBundle` is PEM text. */
export function clientConfig(
  address: WebhookAddress,
  path: string,
  caBundle?: string,
): WebhookClientConfig {
  const trusted = caBundle === undefined ? {} : { caBundle: base64Of(caBundle) }
  return 'url' in address
    ? { url: `${address.url}${path}`, ...trusted }
    : { service: { ...address.service, path, port: servicePort }, ...trusted }
}

/** Text in base64, as in the fields of API objects. */
export function base64Of(text: string): string {
  return Buffer.from(text).toString('base64')
}

const nameCharactersMax = 200

/**
 * The name of the configurations of a process. Each deployment has its own Service, and so its own
 * configurations. Those of a local process have the names of its operators: the next process with
 * the same operators replaces them, even if it has another URL.
 */
export function configurationName(address: WebhookAddress, operators: readonly string[]): string {
  if ('service' in address) return `${address.service.name}.${address.service.namespace}`
  const names = operators.map((name) => name.toLowerCase()).sort()
  return `local.${names.join('-').replaceAll(/[^a-z0-9.-]+/g, '-')}`
    .slice(0, nameCharactersMax)
    .replaceAll(/[.-]+$/g, '')
}

/** The name of what belongs to a process that API servers reach by a URL. */
export const localName = 'setpoint-local-webhooks'

/** The Secret with the certificate of the pods behind a Service. */
export function secretName(service: string): string {
  return `${service}-tls`
}
