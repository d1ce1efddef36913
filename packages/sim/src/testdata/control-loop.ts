import type { AnyResourceDefinition, InferResource } from 'setpoint'
import { Client, isApiError } from 'setpoint/client'
import type { ProcessContext } from '../world/program.ts'

/** Reconciles one object with a bare client. */
type ReconcileOne<D extends AnyResourceDefinition> = (
  object: InferResource<D>,
  client: Client,
) => Promise<void>

const resyncMs = 20_000

/**
 * A control loop as one writes it by hand: lists all objects again and again, and reconciles each.
 * A conflict or another error of the API is retried with the next round.
 */
export function controlLoop<D extends AnyResourceDefinition>(
  definition: D,
  reconcile: ReconcileOne<D>,
): (process: ProcessContext) => Promise<void> {
  return async ({ host, connection }) => {
    const client = new Client(host, connection)
    for (;;) {
      for (const object of await client.listAll(definition)) {
        try {
          await reconcile(object, client)
        } catch (error) {
          if (!isApiError(error)) throw error
        }
      }
      await host.sleep(resyncMs)
    }
  }
}
