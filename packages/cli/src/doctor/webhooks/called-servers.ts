import type {
  APIService,
  CustomResourceDefinition,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from 'setpoint/kinds'

/** A configuration of admission webhooks of either kind. */
export type AdmissionConfiguration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration

/** The objects of a cluster that name servers which the API server calls. */
interface CallingObjects {
  readonly configurations: readonly AdmissionConfiguration[]
  readonly definitions: readonly CustomResourceDefinition[]
  readonly apiServices: readonly APIService[]
}

/** A server that the API server calls. */
export interface CalledServer {
  /** The object that names it: `CustomResourceDefinition disks.example.com`. */
  readonly title: string
  /** Whether the object belongs to the operators of the project. */
  readonly isOwn: boolean
  readonly service:
    { readonly namespace: string; readonly name: string; readonly port: number } | undefined
  /** Set instead of the Service. */
  readonly url: string | undefined
  /** In base64; undefined if the object has none. */
  readonly caBundle: string | undefined
  /** Its certificate is not verified. */
  readonly isInsecure: boolean
}

/** The objects of the project, by name. */
export interface OwnNames {
  readonly webhooks: ReadonlySet<string>
  readonly definitions: ReadonlySet<string>
  readonly apiServices: ReadonlySet<string>
}

/** Whether a configuration has a webhook of the project. */
export function isOwnConfiguration(
  { webhooks = [] }: AdmissionConfiguration,
  own: OwnNames,
): boolean {
  return webhooks.some(({ name }) => own.webhooks.has(name))
}

/** The name of an object with its kind. */
export function titleOf({ kind, metadata }: { kind: string; metadata: { name: string } }): string {
  return `${kind} ${metadata.name}`
}

interface ClientConfig {
  readonly url?: string
  readonly service?: { readonly namespace: string; readonly name: string; readonly port?: number }
  readonly caBundle?: string
}

/** All servers that the API server calls; each once per object. */
export function calledServers(objects: CallingObjects, own: OwnNames): CalledServer[] {
  const admission = objects.configurations.flatMap((one) =>
    (one.webhooks ?? []).map(({ clientConfig }) =>
      serverOf(titleOf(one), isOwnConfiguration(one, own), clientConfig),
    ),
  )
  const conversion = objects.definitions.flatMap((one) => {
    const config = one.spec.conversion?.webhook?.clientConfig
    if (one.spec.conversion?.strategy !== 'Webhook' || config === undefined) return []
    return serverOf(titleOf(one), own.definitions.has(one.metadata.name), config)
  })
  const aggregated = objects.apiServices.flatMap((one): CalledServer[] => {
    const { service, caBundle, insecureSkipTLSVerify = false } = one.spec
    // The API server serves the others itself.
    if (service?.name === undefined || service.namespace === undefined) return []
    const { name, namespace, port = 443 } = service
    return [
      {
        title: titleOf(one),
        isOwn: own.apiServices.has(one.metadata.name),
        service: { name, namespace, port },
        url: undefined,
        caBundle,
        isInsecure: insecureSkipTLSVerify,
      },
    ]
  })
  const all = [...admission, ...conversion, ...aggregated]
  return [...new Map(all.map((server) => [JSON.stringify(server), server])).values()]
}

function serverOf(title: string, isOwn: boolean, config: ClientConfig): CalledServer {
  const { service, url, caBundle } = config
  return {
    title,
    isOwn,
    service:
      service === undefined ? undefined : { ...namePart(service), port: service.port ?? 443 },
    url,
    caBundle: caBundle === '' ? undefined : caBundle,
    isInsecure: false,
  }
}

function namePart({ namespace, name }: { namespace: string; name: string }): {
  readonly namespace: string
  readonly name: string
} {
  return { namespace, name }
}
