import { type Client, isApiError } from '../client/index.ts'
import { SetpointError } from '../errors/index.ts'
import type { Duration, Host } from '../host/index.ts'
import { Secret } from '../kinds/index.ts'
import type { Logger } from '../log/index.ts'
import { CheckedCertificate } from './checked-certificate.ts'
import { readCertificates } from './read-certificate.ts'
import { planRotation, type RotationChange, type RotationState } from './rotation-plan.ts'
import { type CertificateLifetimes, rotationSettings } from './rotation-settings.ts'
import { filesAfter } from './rotation-steps.ts'
import { coversHosts, readSecret, type ReadResult, secretData } from './secret-content.ts'
import type { CertificateCallbacks } from './serving-certificate.ts'

/** The options of a certificate in a Secret. */
export interface SecretCertificateOptions extends CertificateCallbacks {
  readonly host: Host
  readonly client: Client
  readonly log: Logger
  /** The Secret, common to all replicas. It may exist without content. */
  readonly secret: { readonly name: string; readonly namespace: string }
  /** The DNS names and IP addresses of the server. */
  readonly hosts: readonly string[]
  readonly lifetimes?: CertificateLifetimes | undefined
  /** How often the Secret is read; `30s` by default, minus jitter. */
  readonly checkEvery?: Duration | undefined
}

/** How often a check repeats a step that conflicts with the step of another replica. */
const attemptsMax = 10

const intervalJitter = 0.2

const messages: Readonly<Record<RotationChange, string>> = {
  create: 'has a new certificate authority',
  announce: 'has the next certificate authority in its bundle',
  promote: 'has a serving certificate of the next certificate authority',
  retire: 'no longer has the former certificate authority',
  renew: 'has a new serving certificate',
}

/**
 * A serving certificate that the replicas of an operator make and rotate themselves, in a Secret that
 * they share. Every change is one write with an optimistic lock, so that one replica makes it and the
 * others follow.
 *
 * Clients that trust the registered bundle accept every replica at any time: a new authority is in
 * the bundle before it signs, and the former one stays until all replicas have switched.
 */
export class SecretCertificate extends CheckedCertificate {
  readonly #options: SecretCertificateOptions
  readonly #settings: ReturnType<typeof rotationSettings>
  /** The last result, so that an unchanged Secret is not parsed again. */
  #lastRead: { readonly revision: string | undefined; readonly result: ReadResult } | undefined

  constructor(options: SecretCertificateOptions) {
    const settings = rotationSettings(options)
    super(options, {
      subject: `the certificate in the ${nameOf(options)}`,
      retryMsMax: settings.checkMs,
    })
    this.#options = options
    this.#settings = settings
  }

  /** Reads the Secret, follows it, and makes the steps that are due. */
  protected override async check(signal: AbortSignal): Promise<number> {
    const { host } = this.#options
    for (let attempts = 1; ; attempts += 1) {
      const secret = await this.#find(signal)
      const read = this.#read(secret)
      const failure = await this.#follow(read, signal)
      const step = planRotation(this.#stateOf(read), host.now(), this.#settings.times)
      if (step.do === 'wait') {
        if (failure !== undefined) throw failure.error
        const everyMs = this.#settings.checkMs * (1 - intervalJitter * host.random())
        return Math.min(step.untilMs - host.now(), everyMs)
      }
      try {
        await this.#change(step.do, { secret, read, signal })
      } catch (error) {
        const isConflict =
          isApiError(error, 'API_CONFLICT') || isApiError(error, 'API_ALREADY_EXISTS')
        if (!isConflict || attempts >= attemptsMax) throw error
      }
    }
  }

  #read(secret: Secret | undefined): ReadResult {
    const revision = secret?.metadata.resourceVersion
    if (revision === undefined || this.#lastRead?.revision !== revision) {
      this.#lastRead = { revision, result: readSecret(this.#options.host, secret?.data) }
    }
    return this.#lastRead.result
  }

  async #follow(
    read: ReadResult,
    signal: AbortSignal,
  ): Promise<{ readonly error: unknown } | undefined> {
    if (read.is !== 'usable') return undefined
    const { usable } = read.content
    if (this.#options.host.now() >= usable.validity.untilMs) return undefined
    return this.inUse.follow(usable, signal)
  }

  #stateOf(read: ReadResult): RotationState {
    if (read.is !== 'usable') return { has: 'nothing' }
    const { ca, nextCa, formerCas, serving, usable } = read.content
    return {
      has: 'certificate',
      ca: ca.validity,
      nextCa: nextCa?.validity,
      hasFormerCa: formerCas.length > 0,
      serving: usable.validity,
      coversHosts: coversHosts(serving, this.#options.hosts),
      registeredMs: this.inUse.registeredMs(usable.caBundle ?? ''),
    }
  }

  async #change(
    change: RotationChange,
    found: {
      readonly secret: Secret | undefined
      readonly read: ReadResult
      readonly signal: AbortSignal
    },
  ): Promise<void> {
    const { client, log, secret: ref } = this.#options
    const { secret, read, signal } = found
    const content = read.is === 'usable' ? read.content : undefined
    const context = {
      ...this.#settings,
      host: this.#options.host,
      name: ref.name,
      replacedCas: this.#validCas(),
    }
    const data = secretData(secret?.data, filesAfter(change, content, context))
    const call = { signal, timeout: '10s' }
    if (secret === undefined) {
      const manifest = { metadata: ref, type: 'kubernetes.io/tls', data }
      await this.#allowed('create', () => client.create(Secret, manifest, call))
    } else {
      await this.#allowed('update', () => client.replace(Secret, { ...secret, data }, call))
    }
    if (read.is === 'broken') {
      log.warn(`the ${nameOf(this.#options)} was not usable and is replaced: ${read.problem}`)
    }
    log.info(`the ${nameOf(this.#options)} ${messages[change]}`)
  }

  /** The authorities that this process has registered, as far as they are valid. */
  #validCas(): string[] {
    const nowMs = this.#options.host.now()
    const bundle = this.caBundle
    const registered = bundle === undefined ? [] : readCertificates('ca.crt', bundle)
    return registered.filter(({ cert }) => Date.parse(cert.validTo) > nowMs).map(({ pem }) => pem)
  }

  #find(signal: AbortSignal): Promise<Secret | undefined> {
    const { client, secret } = this.#options
    return this.#allowed('get', () => client.find(Secret, secret, { signal, timeout: '10s' }))
  }

  async #allowed<T>(verb: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (error) {
      if (!isApiError(error, 'API_FORBIDDEN')) throw error
      throw new SetpointError(
        'CERTIFICATE_UNAVAILABLE',
        `the process is not allowed to ${verb} the ${nameOf(this.#options)}`,
        {
          hint: 'apply the generated manifests: they contain the Secret, and a Role for it',
          cause: error,
        },
      )
    }
  }
}

function nameOf({ secret: { name, namespace } }: SecretCertificateOptions): string {
  return `Secret ${namespace}/${name}`
}
