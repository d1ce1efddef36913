import { operator, type AnyOperator } from 'setpoint'
import { Secret, ServiceAccount } from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'

const nameAnnotation = 'kubernetes.io/service-account.name'
const uidAnnotation = 'kubernetes.io/service-account.uid'
const tokenType = 'kubernetes.io/service-account-token'

/** The account of a token, and the Secret that will hold it. */
export interface AccountTokenRequest {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly secret: { readonly name: string; readonly uid: string }
}

interface TokenOptions {
  readonly caCert: string
  /** Signs a token that does not expire. */
  readonly accountToken: (request: AccountTokenRequest) => string
}

/** Fills Secrets that request a service account token, and deletes them with the account. */
export function tokenController({ caCert, accountToken }: TokenOptions): AnyOperator {
  return operator(Secret, { ...controllerOptions, name: 'tokens-controller' })
    .writes(Secret)
    .watch(ServiceAccount, ({ metadata }, view) =>
      view
        .list(Secret, metadata.namespace)
        .filter((secret) => secret.metadata.annotations?.[nameAnnotation] === metadata.name)
        .map((secret) => `${metadata.namespace}/${secret.metadata.name}`),
    )
    .reconcile(async (secret, ctx) => {
      const { namespace, name, uid, annotations = {} } = secret.metadata
      const account = annotations[nameAnnotation]
      if (secret.type !== tokenType || account === undefined) return
      const known = ctx.get(ServiceAccount, `${namespace}/${account}`)
      const accountUid = annotations[uidAnnotation]
      if (known === undefined || (accountUid !== undefined && accountUid !== known.metadata.uid)) {
        const live = await ctx.client.find(ServiceAccount, { namespace, name: account })
        const isSame = live !== undefined && (accountUid ?? live.metadata.uid) === live.metadata.uid
        if (!isSame) await ctx.delete(Secret, secret)
        return
      }
      const { data = {} } = secret
      const token =
        data['token'] ??
        encoded(
          accountToken({
            namespace,
            name: account,
            uid: known.metadata.uid,
            secret: { name, uid },
          }),
        )
      const filled = { 'ca.crt': encoded(caCert), namespace: encoded(namespace), token }
      const isFilled = Object.entries(filled).every(([key, value]) => data[key] === value)
      if (isFilled && accountUid !== undefined) return
      const merge = {
        metadata: { annotations: { [uidAnnotation]: known.metadata.uid } },
        data: filled,
      }
      await ctx.patch(Secret, secret, { merge })
    })
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64')
}
