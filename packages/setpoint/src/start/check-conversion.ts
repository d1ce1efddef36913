import type { AnyResourceDefinition } from '../definition/index.ts'
import { SetpointError } from '../errors/index.ts'
import { kindName } from '../kinds/kind-name.ts'
import type { CrdManifest } from '../schema/index.ts'

/**
 * Refuses a CRD whose versions are converted by a webhook that is not served: the server could then
 * not read objects of the other versions, not even to delete them. A webhook in the installed CRD
 * that is not the default of Setpoint is the author's own, and is kept. Call it before you apply
 * the CRD of a definition yourself; `start` with `install: true` calls it.
 */
export function checkConversion(
  definition: AnyResourceDefinition,
  installed?: Pick<CrdManifest, 'spec'>,
): void {
  const { spec } = definition.crd()
  if (spec.conversion?.strategy !== 'Webhook') return
  const own = installed?.spec.conversion?.webhook?.clientConfig
  if (own !== undefined && !isSame(own, spec.conversion.webhook?.clientConfig)) return
  const names = spec.versions.map(({ name }) => name)
  throw new SetpointError(
    'CONVERSION_NOT_SERVED',
    `${kindName(definition)} has the versions ${names.join(' and ')}, whose objects need a conversion webhook, and nothing would serve it`,
    {
      hint:
        'nothing was written; the operator serves it: use `setpoint deploy`, or start with the option webhooks; ' +
        'or serve a webhook yourself, and apply the CRD of definition.crd({ conversionWebhook })',
    },
  )
}

type ClientConfig = NonNullable<
  NonNullable<CrdManifest['spec']['conversion']>['webhook']
>['clientConfig']

/** A server adds defaults, such as the port. */
function isSame(left: ClientConfig, right: ClientConfig | undefined): boolean {
  const [one, other] = [left?.service, right?.service]
  return (
    left?.url === right?.url && one?.name === other?.name && one?.namespace === other?.namespace
  )
}
