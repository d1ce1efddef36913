import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import type { Clock, Random } from 'setpoint/host'

/** The claims of a token. */
export interface TokenClaims {
  readonly aud: readonly string[]
  readonly exp: number
  readonly iat: number
  readonly nbf: number
  readonly iss: string
  readonly jti: string
  readonly sub: string
  readonly 'kubernetes.io': {
    readonly namespace: string
    readonly serviceaccount: { readonly name: string; readonly uid: string }
  } & TokenBinding
}

/** The objects that a token is bound to; with a pod also its node. */
export interface TokenBinding {
  readonly pod?: { readonly name: string; readonly uid: string }
  readonly secret?: { readonly name: string; readonly uid: string }
  readonly node?: { readonly name: string; readonly uid?: string }
}

/** The account and object of a token. */
interface TokenSubject {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly bound?: TokenBinding
}

/**
 * Signs and verifies service account tokens with Ed25519. Its signatures are deterministic: the
 * same seed results in the same tokens.
 */
export class ServiceAccountTokens {
  readonly #host: Clock & Random
  readonly #secret: Uint8Array
  #keys: { readonly private: KeyObject; readonly public: KeyObject } | undefined
  readonly issuer: string

  /** `savedKey` is the `secretKey()` of an earlier run, whose tokens stay valid. */
  constructor(host: Clock & Random, issuer: string, savedKey?: string) {
    this.#host = host
    this.issuer = issuer
    const fresh = host.randomBytes(32)
    this.#secret = savedKey === undefined ? fresh : Buffer.from(savedKey, 'base64')
  }

  /** Read on first use: that takes longer than many requests, and most tests use no token. */
  get #keyPair(): { readonly private: KeyObject; readonly public: KeyObject } {
    if (this.#keys !== undefined) return this.#keys
    // The fixed prefix of an Ed25519 key in PKCS #8; the secret follows.
    const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
    const bytes = Buffer.concat([prefix, this.#secret])
    const key = createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' })
    return (this.#keys = { private: key, public: createPublicKey(key) })
  }

  issue(
    subject: TokenSubject,
    options: { readonly audiences: readonly string[]; readonly lifetimeSeconds: number },
  ): { token: string; expiresMs: number } {
    const nowSeconds = Math.floor(this.#host.now() / 1000)
    const { namespace, name, uid, bound = {} } = subject
    const claims: TokenClaims = {
      aud: options.audiences.length === 0 ? [this.issuer] : options.audiences,
      exp: nowSeconds + options.lifetimeSeconds,
      iat: nowSeconds,
      iss: this.issuer,
      jti: this.#host.uuid(),
      'kubernetes.io': {
        namespace,
        ...bound,
        serviceaccount: { name, uid },
      },
      nbf: nowSeconds,
      sub: `system:serviceaccount:${namespace}:${name}`,
    }
    const content = `${base64url({ alg: 'EdDSA', typ: 'JWT' })}.${base64url(claims)}`
    const signature = sign(null, Buffer.from(content), this.#keyPair.private)
    return {
      token: `${content}.${signature.toString('base64url')}`,
      expiresMs: claims.exp * 1000,
    }
  }

  /** The claims of a token of this cluster that is valid now; `undefined` for any other text. */
  verify(token: string): TokenClaims | undefined {
    const [header = '', claims = '', signature = '', ...rest] = token.split('.')
    // Node would ignore padding and other characters that are not part of base64url.
    if (rest.length > 0 || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return undefined
    const isOurs = verify(
      null,
      Buffer.from(`${header}.${claims}`),
      this.#keyPair.public,
      Buffer.from(signature, 'base64url'),
    )
    if (!isOurs) return undefined
    const read = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as TokenClaims
    const nowSeconds = this.#host.now() / 1000
    return nowSeconds >= read.nbf && nowSeconds < read.exp ? read : undefined
  }

  /** The secret that signs tokens, to be saved with the state. A program that has it can sign tokens. */
  secretKey(): string {
    return Buffer.from(this.#secret).toString('base64')
  }

  /** The public key for the verification of tokens. */
  jwks(): { keys: Record<string, string>[] } {
    const key = this.#keyPair.public.export({ format: 'jwk' }) as Record<string, string>
    return { keys: [{ ...key, use: 'sig', alg: 'EdDSA' }] }
  }
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
