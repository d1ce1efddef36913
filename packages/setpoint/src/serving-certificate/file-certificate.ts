import { isSetpointError } from '../errors/index.ts'
import type { Host } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import type { UsableCertificate } from './certificate-in-use.ts'
import { CheckedCertificate } from './checked-certificate.ts'
import { readCertificates, readServing, validityOf } from './read-certificate.ts'
import type { CertificateCallbacks } from './serving-certificate.ts'

/** The options of a certificate in files. */
export interface FileCertificateOptions extends CertificateCallbacks {
  readonly host: Host
  readonly log: Logger
  /** Has `tls.crt`, `tls.key` and optionally `ca.crt`, as a mounted Secret of cert-manager has. */
  readonly directory: string
}

const intervalMs = 10_000

/**
 * A serving certificate that another program writes to a directory. A changed certificate is used
 * within ten seconds. Without `ca.crt` nothing is registered: another program, such as the CA
 * injector of cert-manager, must do it.
 */
export class FileCertificate extends CheckedCertificate {
  readonly #options: FileCertificateOptions

  constructor(options: FileCertificateOptions) {
    super(options, {
      subject: `the certificate in ${options.directory}`,
      retryMsMax: intervalMs,
    })
    this.#options = options
  }

  protected override async check(signal: AbortSignal): Promise<number> {
    const failure = await this.inUse.follow(await this.#read(), signal)
    if (failure !== undefined) throw failure.error
    return intervalMs
  }

  async #read(): Promise<UsableCertificate> {
    const cert = await this.#text('tls.crt')
    const key = await this.#text('tls.key')
    const ca = await this.#optionalText('ca.crt')
    const validity = validityOf(readServing({ cert, key }))
    const pems = ca === '' ? undefined : readCertificates('ca.crt', ca).map(({ pem }) => pem)
    const caBundle = pems?.join('')
    return { identity: { cert, key }, validity, caBundle, issuer: caBundle ?? '' }
  }

  async #text(name: string): Promise<string> {
    const { host, directory } = this.#options
    return new TextDecoder().decode(await host.readFile(`${directory}/${name}`))
  }

  async #optionalText(name: string): Promise<string> {
    try {
      return await this.#text(name)
    } catch (error) {
      if (isSetpointError(error, 'FILE_NOT_FOUND')) return ''
      throw error
    }
  }
}
